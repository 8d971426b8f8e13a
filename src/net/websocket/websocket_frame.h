// The frames of WebSocket (RFC 6455, 5.2), without sockets: what is written, and the names of what
// is read. websocket_decoder.h reads them.
//
//   frame   := first:uint8 second:uint8 [length:uint16 | length:uint64] [mask:4 bytes] payload
//   first   := FIN 80 | RSV 70 (no extension is spoken here: 0) | opcode 0F
//   second  := MASK 80 (always from clients, never from servers) | 7F: length, 7E: uint16 follows,
//              7F: uint64 follows
//   payload := bytes, each XORed with mask[i mod 4] where there is one
//   close   := (nothing | code:uint16 reason:utf8)          ; the payload of opcode 8
//
// All numbers big-endian, lengths in their shortest form.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace orrery::net {

enum class WebSocketOpcode : uint8_t {
  kContinuation = 0,
  kText = 1,
  kBinary = 2,
  kClose = 8,
  kPing = 9,
  kPong = 10,
};

// Why a connection is closed (RFC 6455, 7.4.1; 1013 by IANA's registry).
enum class WebSocketClose : uint16_t {
  kNormal = 1000,
  kGoingAway = 1001,  // the server stops
  kProtocolError = 1002,
  kUnsupportedData = 1003,  // text where binary is wanted, or the other way
  kInvalidPayload = 1007,   // text that is not UTF-8
  kPolicyViolation = 1008,
  kTooLarge = 1009,
  kInternalError = 1011,
  kTryAgainLater = 1013,
};

// Lengths that say that the length follows, in 16 or 64 bits.
inline constexpr uint8_t kWebSocketLength16 = 126;
inline constexpr uint8_t kWebSocketLength64 = 127;

// The maximal payload of a control frame.
inline constexpr size_t kControlPayloadBytesMax = 125;

using WebSocketMask = std::array<char, 4>;

// Appends one whole message as one frame, as a server sends it.
void AppendWebSocketFrame(std::string& out, WebSocketOpcode opcode, std::string_view payload);
// Appends a close frame. A reason that is too long is cut between two characters.
void AppendWebSocketClose(std::string& out, WebSocketClose code, std::string_view reason);

// Appends a frame as a client sends it: for tests and clients.
void AppendMaskedFrame(std::string& out, WebSocketOpcode opcode, std::string_view payload,
                       const WebSocketMask& mask, bool fin = true);

// XORs `bytes` with the mask, from `offset` of the payload on.
void ApplyWebSocketMask(std::string& bytes, size_t begin, const WebSocketMask& mask, size_t offset);

// Returns whether a peer may send this code in a close frame.
bool IsSendableCloseCode(uint16_t code);

}  // namespace orrery::net
