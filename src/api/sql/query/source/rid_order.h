// The order of documents by their rids, in which clients that merge partitions expect documents of
// equal values. It differs from the order on the ring only within parts that share the first bits
// of a rid (document/container_names.h).
#pragma once

#include "query/source/tie_order.h"

namespace orrery::sql {

class RidOrder final : public query::TieOrder {
 public:
  std::string KeyOf(const item::ItemKey& key) const override;
  partition::HashRange BucketOf(Hash128 position) const override;
};

}  // namespace orrery::sql
