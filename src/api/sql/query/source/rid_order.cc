#include "api/sql/query/source/rid_order.h"

#include "api/sql/document/container_names.h"
#include "base/bytes.h"
#include "query/source/scan_position.h"

namespace orrery::sql {

std::string RidOrder::KeyOf(const item::ItemKey& key) const {
  std::string bytes;
  AppendBigEndian(bytes, ContainerNames::DocumentNumber(key));
  return bytes + query::RingOrder(key);
}

partition::HashRange RidOrder::BucketOf(Hash128 position) const {
  constexpr uint64_t kBelow = UINT64_MAX >> kRidRingBits;
  return partition::HashRange::Inclusive({position.high & ~kBelow, 0},
                                         {position.high | kBelow, UINT64_MAX});
}

}  // namespace orrery::sql
