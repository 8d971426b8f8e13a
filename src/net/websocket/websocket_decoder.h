// A WebSocketDecoder makes messages of the bytes that a WebSocket client sends: it unmasks, joins
// fragments, checks text, and refuses what RFC 6455 forbids.
//
// Control frames may come between the fragments of a message and are given at once. Payloads are
// taken as they arrive, so no frame need be in the caller's buffer as a whole.
//
// Pure: no socket, no clock. Not thread-safe; one per connection.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "net/websocket/websocket_frame.h"

namespace orrery::net {

struct WebSocketLimits {
  size_t frame_bytes_max = 4 << 20;
  size_t message_bytes_max = 4 << 20;
  // Of one message, so that it cannot go on for ever without growing.
  size_t fragments_max = 16 << 10;
};

// One event of a client's input. `payload` is valid until the next call of the decoder.
struct WebSocketEvent {
  // A whole message (kText or kBinary), or kPing, kPong, kClose.
  WebSocketOpcode opcode;
  std::string_view payload;
  // Of kClose: the code, none if the client gave none; `payload` is the reason.
  std::optional<uint16_t> close_code{};
};

// Why the connection must be closed.
struct WebSocketFailure {
  WebSocketClose code;
  std::string_view reason;  // static text
};

class WebSocketDecoder {
 public:
  explicit WebSocketDecoder(const WebSocketLimits& limits) : limits_(limits) {}

  // Moves `input` past what it took. Nothing: more input is needed. After a failure, and after a
  // close, it must not be called again.
  std::expected<std::optional<WebSocketEvent>, WebSocketFailure> Next(std::string_view& input);

  // Returns whether a frame or a message has arrived in part.
  bool incomplete() const { return in_frame_ || in_message_; }
  // Returns the bytes that it holds of them.
  size_t partial_bytes() const { return message_.size() + control_.size(); }

 private:
  using Failure = std::optional<WebSocketFailure>;
  using Decoded = std::expected<std::optional<WebSocketEvent>, WebSocketFailure>;

  // Reads a frame's head; nothing is taken when it is not there as a whole.
  std::expected<bool, WebSocketFailure> TakeHead(std::string_view& input);
  Failure CheckHead(uint8_t first, uint8_t second);
  Failure CheckLength(uint64_t length);
  // Takes what there is of the payload.
  void TakePayload(std::string_view& input);
  Failure CheckText(bool whole);
  Decoded EndFrame();
  Decoded EndClose();

  bool control() const { return (static_cast<uint8_t>(opcode_) & 0x8) != 0; }

  const WebSocketLimits limits_;
  // Of the frame that is coming in.
  bool in_frame_ = false;
  bool fin_ = false;
  WebSocketOpcode opcode_ = WebSocketOpcode::kContinuation;
  WebSocketMask mask_{};
  uint64_t remaining_ = 0;
  uint64_t taken_ = 0;
  std::string control_;
  // Of the message that it belongs to.
  bool in_message_ = false;
  bool message_is_given_ = false;  // message_ is what the last call gave
  WebSocketOpcode message_kind_ = WebSocketOpcode::kBinary;
  size_t fragments_ = 0;
  size_t checked_bytes_ = 0;  // of message_, known to be UTF-8
  std::string message_;
};

}  // namespace orrery::net
