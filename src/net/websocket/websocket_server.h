// Lets a handler of HTTP requests accept a WebSocket: it reads the offer, decides, and answers with
// AcceptWebSocket. The server then hands the connection over.
//
//   if (WantsWebSocket(request)) {
//     auto offer = ReadWebSocketOffer(request);
//     if (!offer.has_value()) return responder.Send(std::move(offer.error()));
//     ... is this client, this Host, this Origin allowed? ...
//     responder.Send(AcceptWebSocket(*offer, ChooseSubprotocol(*offer, kKnown), endpoint,
//     factory));
//   }
#pragma once

#include <string_view>

#include "net/framed/framed_session.h"
#include "net/websocket/websocket_handshake.h"
#include "net/websocket/websocket_session.h"

namespace orrery::net {

// The parts that all WebSockets of one kind share. Must outlive the HTTP server that hands them
// over.
struct WebSocketEndpoint {
  FramedContext context;
  WebSocketOptions options{};
};

// The answer that makes the connection a WebSocket whose handler `factory` makes.
HttpResponse AcceptWebSocket(const WebSocketOffer& offer, std::string_view subprotocol,
                             const WebSocketEndpoint& endpoint, WebSocketHandlerFactory factory);

}  // namespace orrery::net
