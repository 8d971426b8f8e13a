// Any bytes of a client must give the same events however they are cut, no text that is not UTF-8,
// and stay within the limits.
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "base/utf8.h"
#include "net/websocket/websocket_decoder.h"

namespace {

using orrery::net::IsSendableCloseCode;
using orrery::net::WebSocketDecoder;
using orrery::net::WebSocketEvent;
using orrery::net::WebSocketLimits;
using orrery::net::WebSocketOpcode;

constexpr WebSocketLimits kLimits{
    .frame_bytes_max = 300, .message_bytes_max = 400, .fragments_max = 8};

void Check(const WebSocketEvent& event) {
  switch (event.opcode) {
    case WebSocketOpcode::kText:
      ORRERY_CHECK(orrery::IsUtf8(event.payload));
      [[fallthrough]];
    case WebSocketOpcode::kBinary:
      ORRERY_CHECK(event.payload.size() <= kLimits.message_bytes_max);
      break;
    case WebSocketOpcode::kClose:
      ORRERY_CHECK(orrery::IsUtf8(event.payload));
      ORRERY_CHECK(!event.close_code || IsSendableCloseCode(*event.close_code));
      [[fallthrough]];
    case WebSocketOpcode::kPing:
    case WebSocketOpcode::kPong:
      ORRERY_CHECK(event.payload.size() <= orrery::net::kControlPayloadBytesMax);
      break;
    case WebSocketOpcode::kContinuation:
      ORRERY_CHECK(false);
  }
}

// All that a session would see, in one string.
std::string Transcript(std::string_view bytes, size_t step) {
  std::string seen;
  WebSocketDecoder decoder(kLimits);
  size_t begin = 0;
  for (size_t end = 0; end < bytes.size();) {
    end = std::min(end + step, bytes.size());
    while (true) {
      std::string_view input = bytes.substr(begin, end - begin);
      const auto next = decoder.Next(input);
      begin = end - input.size();
      ORRERY_CHECK(decoder.partial_bytes() <=
                   kLimits.message_bytes_max + orrery::net::kControlPayloadBytesMax);
      if (!next.has_value()) return seen + std::to_string(static_cast<int>(next.error().code));
      if (!next->has_value()) break;
      Check(**next);
      seen.append(std::to_string(static_cast<int>((*next)->opcode))).append((*next)->payload);
      if ((*next)->opcode == WebSocketOpcode::kClose) return seen;
    }
  }
  return seen;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::string whole = Transcript(bytes, std::max<size_t>(size, 1));
  ORRERY_CHECK(Transcript(bytes, 1) == whole);
  ORRERY_CHECK(Transcript(bytes, 5) == whole);
  return 0;
}
