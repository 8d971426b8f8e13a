// Tokens come back from clients: any bytes must give a continuation or an error.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "gateway/account/base64.h"
#include "gateway/position/continuation.h"
#include "gateway/position/session_token.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace orrery;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  for (const std::string& text : {std::string(bytes), gateway::ToBase64Url(bytes)}) {
    const auto continuation =
        gateway::DecodeContinuation(text, gateway::ContinuationKind::kScan, ContainerId(1), 0);
    if (!continuation.has_value()) continue;
    const std::string again = gateway::EncodeContinuation(*continuation);
    const auto back =
        gateway::DecodeContinuation(again, gateway::ContinuationKind::kScan, ContainerId(1), 0);
    if (!back.has_value() || *back != *continuation) std::abort();
  }
  (void)gateway::ParseSessionToken(bytes);
  (void)gateway::DecodeFeedPosition(bytes);
  return 0;
}
