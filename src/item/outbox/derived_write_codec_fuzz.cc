// Any bytes are refused or become derived writes that are stored as the same derived writes again.
#include <cstdint>
#include <string>

#include "base/check.h"
#include "item/outbox/derived_write_codec.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace orrery::item;
  const auto derived_writes = DecodeDerivedWrites({reinterpret_cast<const char*>(data), size});
  if (!derived_writes.has_value()) return 0;
  std::string encoded;
  EncodeDerivedWrites(encoded, *derived_writes, {});
  const auto again = DecodeDerivedWrites(encoded);
  ORRERY_CHECK(again.has_value() && *again == *derived_writes);
  return 0;
}
