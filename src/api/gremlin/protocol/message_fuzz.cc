// Requests of any content, as JSON and as GraphBinary: a request or an error.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "api/gremlin/protocol/message.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (const auto frame = orrery::gremlin::SplitFrame(bytes); frame.has_value())
    (void)orrery::gremlin::EncodingOf(frame->mime);
  (void)orrery::gremlin::DecodeRequest(orrery::gremlin::Encoding::kGraphSon3, bytes);
  (void)orrery::gremlin::DecodeRequest(orrery::gremlin::Encoding::kGraphBinary, bytes);
  return 0;
}
