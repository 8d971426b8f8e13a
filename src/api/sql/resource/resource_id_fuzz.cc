// Any text is refused or is the one text of the id that it is read as.
#include <cstdint>

#include "api/sql/resource/resource_id.h"
#include "base/check.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto id = orrery::sql::ParseRid(text);
  if (id.has_value()) ORRERY_CHECK(orrery::sql::FormatRid(*id) == text);
  return 0;
}
