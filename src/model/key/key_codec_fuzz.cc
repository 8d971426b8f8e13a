// Any bytes that ReadKey accepts must be written back to bytes that read as the same value.
#include <cstdint>
#include <string>

#include "base/check.h"
#include "model/key/key_codec.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace orrery::model;
  for (const Direction direction : {Direction::kAscending, Direction::kDescending}) {
    orrery::ByteReader reader({reinterpret_cast<const char*>(data), size});
    const auto value = ReadKey(reader, direction);
    if (!value.has_value()) continue;
    for (const Order order : {Order::kSql, Order::kMongo, Order::kCql}) {
      std::string key;
      AppendKey(key, *value, order, direction);
      orrery::ByteReader again(key);
      const auto back = ReadKey(again, direction);
      ORRERY_CHECK(back.has_value() && again.empty());
      ORRERY_CHECK(Equivalent(*back, *value, order));
    }
  }
  return 0;
}
