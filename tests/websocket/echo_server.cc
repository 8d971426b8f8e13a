// A WebSocket server for tests with foreign clients: says every message again. TLS and plain on one
// port, which it prints first ("port 40123"); ends on SIGTERM with 1001 for whoever is connected.
//
//   orrery-websocket-echo DIRECTORY     where the self-signed certificate is kept
//
// Knows the subprotocols "echo" and "shout" (which answers in capitals). Messages of at most 1 MB.
#include <signal.h>

#include <cctype>
#include <cstdio>
#include <memory>
#include <string>

#include "base/clock.h"
#include "base/metrics.h"
#include "net/event_loops.h"
#include "net/http/http_server.h"
#include "net/tls/tls_identity.h"
#include "net/websocket/websocket_server.h"

namespace {

using namespace orrery;

constexpr std::string_view kKnown[] = {"echo", "shout"};
constexpr size_t kMessageBytesMax = 1 << 20;

class Echo final : public net::WebSocketHandler {
 public:
  explicit Echo(bool shout) : shout_(shout) {}

  void OnMessage(net::WebSocketKind kind, std::string_view payload, const RequestContext&,
                 net::WebSocketExchange exchange) override {
    std::string answer(payload);
    if (shout_) {
      for (char& c : answer) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    }
    exchange.Send(kind, std::move(answer));
  }

 private:
  const bool shout_;
};

net::HttpHandler Handler(const net::WebSocketEndpoint& endpoint) {
  return [&endpoint](net::HttpRequest request, net::HttpResponder responder) {
    if (!net::WantsWebSocket(request))
      return responder.Send(net::HttpResponse::Text(200, "say it over WebSocket\n"));
    auto offer = net::ReadWebSocketOffer(request);
    if (!offer.has_value()) return responder.Send(std::move(offer.error()));
    if (request.path == "/forbidden")
      return responder.Send(net::HttpResponse::JsonError(403, "Forbidden", "not here"));
    const std::string_view subprotocol = net::ChooseSubprotocol(*offer, kKnown);
    responder.Send(
        net::AcceptWebSocket(*offer, subprotocol, endpoint,
                             [shout = subprotocol == "shout"](const auto&, const net::FramedPeer&) {
                               return std::make_unique<Echo>(shout);
                             }));
  };
}

int Explain(const Error& error) {
  std::fprintf(stderr, "%s\n", error.ToString().c_str());
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: orrery-websocket-echo DIRECTORY\n");
    return 2;
  }
  sigset_t ends;
  sigemptyset(&ends);
  sigaddset(&ends, SIGTERM);
  sigaddset(&ends, SIGINT);
  pthread_sigmask(SIG_BLOCK, &ends, nullptr);

  const SystemClock clock;
  MetricsRegistry metrics;
  const auto tls = net::TlsIdentity::LoadOrCreate(argv[1], {}, clock);
  if (!tls.has_value()) return Explain(tls.error());
  const auto requests = std::make_shared<ByteBudget>(64 << 20);
  net::FramedMetrics framed_metrics(metrics, "echo", requests);
  const net::WebSocketEndpoint endpoint{
      .context = {.limits = {}, .metrics = framed_metrics, .clock = clock, .requests = requests},
      .options = {
          .limits = {.frame_bytes_max = kMessageBytesMax, .message_bytes_max = kMessageBytesMax}}};
  net::EventLoops loops(2);
  auto server = net::HttpServer::Start(loops, {}, tls->get(), clock, metrics, Handler(endpoint));
  if (!server.has_value()) return Explain(server.error());
  std::printf("port %u\n", (*server)->port());
  std::fflush(stdout);
  int signal = 0;
  sigwait(&ends, &signal);
  (*server)->Stop(std::chrono::seconds(10));
  return 0;
}
