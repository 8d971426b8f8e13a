// The opening handshake of WebSocket (RFC 6455, 4.2): what a client offers in an HTTP request, and
// the answer that accepts it.
//
// The caller decides who may connect, before it accepts: the offer has Host and Origin, by which
// browsers tell which page is asking; the request has everything else.
//
// Extensions are never accepted: permessage-deflate is not spoken here.
//
// Pure functions.
#pragma once

#include <expected>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "net/http/http_message.h"

namespace orrery::net {

// The offer of a well-formed handshake.
struct WebSocketOffer {
  std::string key;  // Sec-WebSocket-Key, as sent
  std::string host;
  std::string origin;                     // empty: not a browser's page
  std::vector<std::string> subprotocols;  // in the client's order of preference
};

// Returns whether a request asks to become a WebSocket, well-formed or not.
bool WantsWebSocket(const HttpRequest& request);

// Reads a handshake. Else the answer that refuses it: 400, 405 (not GET), 426 (another version).
// REQUIRES: WantsWebSocket(request).
std::expected<WebSocketOffer, HttpResponse> ReadWebSocketOffer(const HttpRequest& request);

// The first of the client's subprotocols that is among `known`; empty if none is.
std::string_view ChooseSubprotocol(const WebSocketOffer& offer,
                                   std::span<const std::string_view> known);

// The answer that accepts: 101, without a takeover yet (websocket_server.h). An empty `subprotocol`
// is not mentioned.
HttpResponse WebSocketAcceptance(const WebSocketOffer& offer, std::string_view subprotocol);

// Returns the Sec-WebSocket-Accept for a Sec-WebSocket-Key.
std::string WebSocketAcceptKey(std::string_view key);

}  // namespace orrery::net
