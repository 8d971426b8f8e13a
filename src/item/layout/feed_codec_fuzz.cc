// Any bytes are refused or decoded within their bounds; a decoded change survives a round trip.
#include <cstdint>
#include <string>

#include "base/check.h"
#include "item/layout/feed_codec.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto change = orrery::item::DecodeChange({reinterpret_cast<const char*>(data), size});
  if (!change.has_value()) return 0;
  std::string again;
  orrery::item::WriteChange(again, *change);
  const auto decoded = orrery::item::DecodeChange(again);
  ORRERY_CHECK(decoded.has_value() && decoded->kind == change->kind &&
               decoded->time == change->time);
  ORRERY_CHECK(decoded->superseded == change->superseded &&
               decoded->by_expiry == change->by_expiry);
  ORRERY_CHECK(decoded->row_key == change->row_key && decoded->image == change->image);
  return 0;
}
