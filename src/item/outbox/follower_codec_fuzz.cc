// Any bytes are refused or become followers that are stored as the same followers again.
#include <cstdint>
#include <string>

#include "base/check.h"
#include "item/outbox/follower_codec.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace orrery::item;
  const auto followers = DecodeFollowers({reinterpret_cast<const char*>(data), size});
  if (!followers.has_value()) return 0;
  std::string encoded;
  EncodeFollowers(encoded, *followers, {});
  const auto again = DecodeFollowers(encoded);
  ORRERY_CHECK(again.has_value() && *again == *followers);
  return 0;
}
