// Positions come back from clients: whatever the bytes, an error or a position that writes them.
#include "base/check.h"
#include "item/read/nearest_position.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto position = orrery::item::DecodeNearestPosition(bytes);
  if (!position.has_value()) return 0;
  const auto again =
      orrery::item::DecodeNearestPosition(orrery::item::EncodeNearestPosition(*position));
  ORRERY_CHECK(again.has_value() && *again == *position);
  return 0;
}
