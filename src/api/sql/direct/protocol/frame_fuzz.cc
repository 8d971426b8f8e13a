// Frames, the first exchange and the meaning of tokens, from any bytes: nothing reads past the end,
// and what is taken for a frame lies inside the input.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "api/sql/direct/message/direct_request.h"
#include "api/sql/direct/protocol/context.h"
#include "api/sql/direct/protocol/frame.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace orrery::sql::direct;
  std::string_view input(reinterpret_cast<const char*>(data), size);
  FrameDecoder decoder;
  while (true) {
    const size_t before = input.size();
    const auto frame = decoder.Next(input);
    if (!frame.has_value() || !frame->has_value()) break;
    if (input.size() >= before) std::abort();
    if ((*frame)->is(WireResource::kConnection)) {
      (void)ReadContextRequest(**frame);
      continue;
    }
    RequestTokens tokens;
    if (!ReadRequestTokens((*frame)->tokens, tokens).has_value()) continue;
    (void)ReadDirectRequest(**frame, tokens, "2020-07-15");
  }
  return 0;
}
