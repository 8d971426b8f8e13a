// Scripts of any content: queries or an error.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "api/gremlin/parser/parser.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  (void)orrery::gremlin::ParseScript(text, {});
  return 0;
}
