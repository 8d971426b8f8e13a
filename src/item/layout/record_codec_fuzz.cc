// Any bytes are refused or decoded within their bounds; a decoded record survives a round trip.
#include <cstdint>
#include <string>

#include "base/check.h"
#include "item/layout/record_codec.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto record = orrery::item::DecodeRecord({reinterpret_cast<const char*>(data), size});
  if (!record.has_value()) return 0;
  const std::string again = orrery::item::EncodeRecord(*record, record->document);
  const auto decoded = orrery::item::DecodeRecord(again);
  ORRERY_CHECK(decoded.has_value() && decoded->lsn == record->lsn && decoded->time == record->time);
  ORRERY_CHECK(decoded->expiry == record->expiry && decoded->seq == record->seq);
  ORRERY_CHECK(decoded->document == record->document);
  return 0;
}
