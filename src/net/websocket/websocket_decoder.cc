#include "net/websocket/websocket_decoder.h"

#include <algorithm>

#include "base/bytes.h"
#include "base/check.h"
#include "base/utf8.h"

namespace orrery::net {
namespace {

constexpr size_t kShortHeadBytes = 2;
// The capacity that the buffer of messages keeps between two.
constexpr size_t kKeptMessageBytes = 4 << 10;

WebSocketFailure ProtocolError(std::string_view reason) {
  return {WebSocketClose::kProtocolError, reason};
}

// Returns whether bytes may follow that make `start`, which is not empty, well-formed UTF-8.
bool MayBecomeUtf8(std::string_view start) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(start[i]); };
  const unsigned char first = byte(0);
  const size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || start.size() >= length) return false;
  for (size_t i = 1; i < start.size(); ++i) {
    if ((byte(i) & 0xC0) != 0x80) return false;
  }
  if (start.size() < 2) return true;
  if (first == 0xE0) return byte(1) >= 0xA0;
  if (first == 0xED) return byte(1) <= 0x9F;
  if (first == 0xF0) return byte(1) >= 0x90;
  if (first == 0xF4) return byte(1) <= 0x8F;
  return true;
}

}  // namespace

WebSocketDecoder::Decoded WebSocketDecoder::Next(std::string_view& input) {
  if (!in_frame_) control_.clear();
  if (message_is_given_) {
    message_is_given_ = false;
    message_.clear();
    if (message_.capacity() > kKeptMessageBytes) std::string().swap(message_);
  }
  // A frame that ends without giving anything (a fragment) is followed by the next.
  while (true) {
    if (!in_frame_) {
      const auto begun = TakeHead(input);
      if (!begun.has_value()) return std::unexpected(begun.error());
      if (!*begun) return std::nullopt;
    }
    TakePayload(input);
    if (!control() && message_kind_ == WebSocketOpcode::kText) {
      const bool whole = fin_ && remaining_ == 0;
      if (const Failure failure = CheckText(whole)) return std::unexpected(*failure);
    }
    if (remaining_ > 0) return std::nullopt;
    Decoded ended = EndFrame();
    if (!ended.has_value() || ended->has_value()) return ended;
  }
}

std::expected<bool, WebSocketFailure> WebSocketDecoder::TakeHead(std::string_view& input) {
  if (input.size() < kShortHeadBytes) return false;
  const auto first = static_cast<uint8_t>(input[0]);
  const auto second = static_cast<uint8_t>(input[1]);
  if (const Failure failure = CheckHead(first, second)) return std::unexpected(*failure);
  const uint8_t short_length = second & 0x7F;
  const size_t length_bytes = short_length == kWebSocketLength16   ? sizeof(uint16_t)
                              : short_length == kWebSocketLength64 ? sizeof(uint64_t)
                                                                   : 0;
  const size_t head_bytes = kShortHeadBytes + length_bytes + mask_.size();
  // Refused before the mask is there: what is too long is not waited for.
  if (input.size() < kShortHeadBytes + length_bytes) return false;
  uint64_t length = short_length;
  const char* const at = input.data() + kShortHeadBytes;
  if (short_length == kWebSocketLength16) {
    length = LoadBigEndian<uint16_t>(at);
    if (length < kWebSocketLength16)
      return std::unexpected(ProtocolError("a length is not minimal"));
  } else if (short_length == kWebSocketLength64) {
    length = LoadBigEndian<uint64_t>(at);
    if (length <= UINT16_MAX || length > INT64_MAX)
      return std::unexpected(ProtocolError("a length is malformed"));
  }
  opcode_ = static_cast<WebSocketOpcode>(first & 0x0F);
  if (const Failure failure = CheckLength(length)) return std::unexpected(*failure);
  if (input.size() < head_bytes) return false;

  in_frame_ = true;
  fin_ = (first & 0x80) != 0;
  std::copy_n(at + length_bytes, mask_.size(), mask_.begin());
  remaining_ = length;
  taken_ = 0;
  if (!control()) {
    if (opcode_ != WebSocketOpcode::kContinuation) {
      message_kind_ = opcode_;
      fragments_ = 0;
      checked_bytes_ = 0;
    }
    in_message_ = true;
    if (++fragments_ > limits_.fragments_max)
      return std::unexpected(
          WebSocketFailure{WebSocketClose::kPolicyViolation, "the message has too many fragments"});
  }
  input.remove_prefix(head_bytes);
  return true;
}

WebSocketDecoder::Failure WebSocketDecoder::CheckHead(uint8_t first, uint8_t second) {
  if ((first & 0x70) != 0) return ProtocolError("a reserved bit is set");
  if ((second & 0x80) == 0) return ProtocolError("a frame is not masked");
  const bool fin = (first & 0x80) != 0;
  switch (static_cast<WebSocketOpcode>(first & 0x0F)) {
    case WebSocketOpcode::kContinuation:
      if (!in_message_) return ProtocolError("there is no message to continue");
      return std::nullopt;
    case WebSocketOpcode::kText:
    case WebSocketOpcode::kBinary:
      if (in_message_) return ProtocolError("the message before is not complete");
      return std::nullopt;
    case WebSocketOpcode::kClose:
    case WebSocketOpcode::kPing:
    case WebSocketOpcode::kPong:
      if (!fin) return ProtocolError("a control frame is fragmented");
      if ((second & 0x7F) > kControlPayloadBytesMax)
        return ProtocolError("a control frame is too long");
      return std::nullopt;
  }
  return ProtocolError("the opcode is unknown");
}

WebSocketDecoder::Failure WebSocketDecoder::CheckLength(uint64_t length) {
  if (control()) return std::nullopt;
  if (length > limits_.frame_bytes_max)
    return WebSocketFailure{WebSocketClose::kTooLarge, "the frame is too large"};
  if (length > limits_.message_bytes_max - std::min(message_.size(), limits_.message_bytes_max))
    return WebSocketFailure{WebSocketClose::kTooLarge, "the message is too large"};
  return std::nullopt;
}

void WebSocketDecoder::TakePayload(std::string_view& input) {
  const size_t size = std::min<uint64_t>(remaining_, input.size());
  std::string& out = control() ? control_ : message_;
  const size_t begin = out.size();
  out.append(input.substr(0, size));
  ApplyWebSocketMask(out, begin, mask_, static_cast<size_t>(taken_ % mask_.size()));
  input.remove_prefix(size);
  remaining_ -= size;
  taken_ += size;
}

// As it arrives, so that malformed text is refused without waiting for its end.
WebSocketDecoder::Failure WebSocketDecoder::CheckText(bool whole) {
  const std::string_view unchecked = std::string_view(message_).substr(checked_bytes_);
  const size_t invalid = FindInvalidUtf8(unchecked);
  if (invalid == std::string_view::npos) {
    checked_bytes_ = message_.size();
    return std::nullopt;
  }
  checked_bytes_ += invalid;
  if (!whole && MayBecomeUtf8(unchecked.substr(invalid))) return std::nullopt;
  return WebSocketFailure{WebSocketClose::kInvalidPayload, "the text is not UTF-8"};
}

WebSocketDecoder::Decoded WebSocketDecoder::EndFrame() {
  in_frame_ = false;
  if (opcode_ == WebSocketOpcode::kClose) return EndClose();
  if (control()) return WebSocketEvent{opcode_, control_};
  if (!fin_) return std::nullopt;
  in_message_ = false;
  message_is_given_ = true;
  return WebSocketEvent{message_kind_, message_};
}

WebSocketDecoder::Decoded WebSocketDecoder::EndClose() {
  if (control_.empty()) return WebSocketEvent{opcode_, {}};
  if (control_.size() < sizeof(uint16_t))
    return std::unexpected(ProtocolError("a close code is cut short"));
  const auto code = LoadBigEndian<uint16_t>(control_.data());
  if (!IsSendableCloseCode(code))
    return std::unexpected(ProtocolError("the close code is invalid"));
  const std::string_view reason = std::string_view(control_).substr(sizeof(uint16_t));
  if (!IsUtf8(reason)) {
    return std::unexpected(
        WebSocketFailure{WebSocketClose::kInvalidPayload, "the close reason is not UTF-8"});
  }
  return WebSocketEvent{opcode_, reason, code};
}

}  // namespace orrery::net
