// Cards of nodes stand in an object that every process of the pool may write: any bytes must give a
// card or an error, and a card must survive being written again.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "cluster/member/node_card.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace orrery::cluster;
  const auto card = DecodeNodeCard({reinterpret_cast<const char*>(data), size});
  if (!card.has_value()) return 0;
  const auto again = DecodeNodeCard(EncodeNodeCard(*card));
  ORRERY_CHECK(again.has_value() && *again == *card);
  return 0;
}
