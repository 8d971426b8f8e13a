#include "net/websocket/websocket_server.h"

#include <memory>
#include <utility>

#include "net/framed/framed_connection.h"
#include "net/http/http_takeover.h"

namespace orrery::net {
namespace {

class WebSocketTakeover final : public HttpTakeover {
 public:
  WebSocketTakeover(const WebSocketEndpoint& endpoint, WebSocketHandlerFactory factory)
      : endpoint_(endpoint),
        make_session_([&endpoint, factory = std::move(factory)](const FramedLink& link) {
          return std::make_unique<WebSocketSession>(link, endpoint.options, factory);
        }) {}

  Stream::Awaitable<void> Serve(Stream& stream, ReadBuffer received) override {
    return ServeFramed(stream, endpoint_.context, make_session_, std::move(received));
  }

 private:
  const WebSocketEndpoint& endpoint_;
  const FramedSessionFactory make_session_;
};

}  // namespace

HttpResponse AcceptWebSocket(const WebSocketOffer& offer, std::string_view subprotocol,
                             const WebSocketEndpoint& endpoint, WebSocketHandlerFactory factory) {
  HttpResponse response = WebSocketAcceptance(offer, subprotocol);
  response.takeover = std::make_shared<WebSocketTakeover>(endpoint, std::move(factory));
  return response;
}

}  // namespace orrery::net
