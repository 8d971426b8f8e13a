#include "net/websocket/websocket_frame.h"

#include "base/bytes.h"
#include "base/utf8.h"

namespace orrery::net {
namespace {

constexpr uint8_t kFin = 0x80;
constexpr uint8_t kMasked = 0x80;

void AppendHead(std::string& out, bool fin, WebSocketOpcode opcode, size_t payload_bytes,
                uint8_t masked) {
  const auto byte = [&](size_t value) { out.push_back(static_cast<char>(value)); };
  byte((fin ? kFin : 0) | static_cast<uint8_t>(opcode));
  if (payload_bytes < kWebSocketLength16) {
    byte(masked | payload_bytes);
  } else if (payload_bytes <= UINT16_MAX) {
    byte(masked | kWebSocketLength16);
    AppendBigEndian(out, static_cast<uint16_t>(payload_bytes));
  } else {
    byte(masked | kWebSocketLength64);
    AppendBigEndian(out, static_cast<uint64_t>(payload_bytes));
  }
}

}  // namespace

void AppendWebSocketFrame(std::string& out, WebSocketOpcode opcode, std::string_view payload) {
  AppendHead(out, /*fin=*/true, opcode, payload.size(), /*masked=*/0);
  out.append(payload);
}

void AppendWebSocketClose(std::string& out, WebSocketClose code, std::string_view reason) {
  const std::string_view kept = Utf8Prefix(reason, kControlPayloadBytesMax - sizeof(uint16_t));
  AppendHead(out, /*fin=*/true, WebSocketOpcode::kClose, sizeof(uint16_t) + kept.size(),
             /*masked=*/0);
  AppendBigEndian(out, static_cast<uint16_t>(code));
  out.append(kept);
}

void AppendMaskedFrame(std::string& out, WebSocketOpcode opcode, std::string_view payload,
                       const WebSocketMask& mask, bool fin) {
  AppendHead(out, fin, opcode, payload.size(), kMasked);
  out.append(mask.data(), mask.size());
  const size_t begin = out.size();
  out.append(payload);
  ApplyWebSocketMask(out, begin, mask, 0);
}

void ApplyWebSocketMask(std::string& bytes, size_t begin, const WebSocketMask& mask,
                        size_t offset) {
  const WebSocketMask turned = {mask[offset % 4], mask[(offset + 1) % 4], mask[(offset + 2) % 4],
                                mask[(offset + 3) % 4]};
  char* const data = bytes.data() + begin;
  const size_t size = bytes.size() - begin;
  // In a form that the compiler turns into wide operations.
  size_t i = 0;
  for (; i + 4 <= size; i += 4) {
    for (size_t j = 0; j < 4; ++j) data[i + j] = static_cast<char>(data[i + j] ^ turned[j]);
  }
  for (; i < size; ++i) data[i] = static_cast<char>(data[i] ^ turned[i % 4]);
}

bool IsSendableCloseCode(uint16_t code) {
  if (code >= 3000 && code <= 4999) return true;
  // 1004 is reserved; 1005, 1006 and 1015 are for programs, never for the wire.
  return (code >= 1000 && code <= 1003) || (code >= 1007 && code <= 1014);
}

}  // namespace orrery::net
