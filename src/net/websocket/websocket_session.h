// A WebSocketSession is one client's conversation over WebSocket, on the chassis of net/framed: it
// answers pings and closes, gives whole messages to a WebSocketHandler, and asks silent clients
// whether they are there.
//
// Lives on one event loop; only that loop's thread may touch it.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string_view>

#include "base/request_context.h"
#include "net/framed/framed_session.h"
#include "net/websocket/websocket_channel.h"
#include "net/websocket/websocket_decoder.h"

namespace orrery::net {

// A WebSocketHandler processes the messages of one client. Made for each connection, destroyed when
// it is over. Called on the connection's loop: it must not block.
class WebSocketHandler {
 public:
  virtual ~WebSocketHandler() = default;
  // A whole message; `payload` is valid during the call, text is UTF-8. What follows from it is
  // sent through `exchange`, at once or later; `context` says when to stop (who keeps it copies
  // it). What it throws is logged and closes the connection (1011).
  virtual void OnMessage(WebSocketKind kind, std::string_view payload,
                         const RequestContext& context, WebSocketExchange exchange) = 0;
};

// Makes the handler of a new connection. The channel is for what the server says unasked.
using WebSocketHandlerFactory = std::function<std::unique_ptr<WebSocketHandler>(
    std::shared_ptr<WebSocketChannel> channel, const FramedPeer& peer)>;

struct WebSocketOptions {
  WebSocketLimits limits{};
  // Says whether the handshake authenticated clients; else they are strangers (FramedLimits) until
  // WebSocketChannel::LetIn().
  bool let_in = true;
};

class WebSocketSession final : public FramedSession {
 public:
  WebSocketSession(const FramedLink& link, const WebSocketOptions& options,
                   const WebSocketHandlerFactory& factory);
  ~WebSocketSession() override;

  bool TakeMail() override { return channel_->mailbox_.Empty(); }
  size_t partial_bytes() const override;
  bool OnIdle() override;
  void OnDrain() override;

  // The mailbox's reader.
  void TakeLetter(WebSocketLetter& letter);
  void NoticesWereLost() {}

 protected:
  Step TakeMessage(std::string_view& input) override;
  void Refuse(Refusal why) override;

 private:
  void Handle(const WebSocketEvent& event);
  void HandleMessage(const WebSocketEvent& event);
  void Close(WebSocketClose code, std::string_view reason);

  const std::shared_ptr<WebSocketChannel> channel_;
  WebSocketDecoder decoder_;
  std::unique_ptr<WebSocketHandler> handler_;
  bool asked_ = false;  // a ping of ours waits for any sign of life
};

}  // namespace orrery::net
