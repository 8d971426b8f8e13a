// Any bytes are refused or decoded within their bounds; decoded changes survive a round trip.
#include <cstdint>
#include <vector>

#include "base/check.h"
#include "item/row_feed/feed_pack.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::vector<orrery::item::PackedChange> changes;
  if (!orrery::item::DecodePack({reinterpret_cast<const char*>(data), size}, changes).has_value()) {
    return 0;
  }
  orrery::item::PackBuilder builder;
  for (const auto& change : changes) builder.Add(change);
  std::vector<orrery::item::PackedChange> again;
  ORRERY_CHECK(orrery::item::DecodePack(builder.bytes(), again).has_value());
  ORRERY_CHECK(again.size() == changes.size());
  for (size_t i = 0; i < again.size(); ++i) {
    ORRERY_CHECK(again[i].place() == changes[i].place() && again[i].change == changes[i].change);
  }
  return 0;
}
