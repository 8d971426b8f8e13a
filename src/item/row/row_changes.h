// RowChanges is what a write of rows changes: rows and ranges of one logical partition, and the
// derived writes of others.
//
// Derived writes are changes of other logical partitions, also of other containers, that must
// happen because this one did: the rows of materialized views, the other partitions of a logged
// batch. They are stored with the change (item/outbox/outbox.h) and delivered after it. A delivery
// may be repeated, and those of two writes may overtake each other. Neither does harm, because
// everything in a row has its writer's time and rows merge by these, whatever the order
// (model/row/row_merge.h says who wins a tie). For the same reason derived writes have no counters:
// they would count twice.
#pragma once

#include <string>
#include <vector>

#include "base/ids.h"
#include "item/row/range_tombstones.h"

namespace orrery::item {

// One row's change: encoded by model/row/row_codec.h, merged into what is there. An empty
// clustering key is the partition's own row (static cells, deletion of the whole partition).
struct RowChange {
  std::string clustering;
  std::string row;

  friend bool operator==(const RowChange&, const RowChange&) = default;
};

struct DerivedWrite;

struct RowChanges {
  std::vector<RowChange> rows;
  std::vector<RangeTombstone> range_tombstones;
  std::vector<DerivedWrite> derived_writes;

  bool empty() const;
  friend bool operator==(const RowChanges&, const RowChanges&) = default;
};

struct DerivedWrite {
  ContainerId container;      // of rows; when it is gone, so is the derived write
  std::string partition_key;  // the bytes that are hashed (gateway/row/row_requests.h)
  RowChanges changes;         // without derived writes of their own
  // Something may depend on its rows in turn: it is delivered together with what follows from it
  // then (gateway/outbox/view_maintenance_hook.h).
  bool maintains_views = false;

  friend bool operator==(const DerivedWrite&, const DerivedWrite&) = default;
};

inline bool RowChanges::empty() const {
  return rows.empty() && range_tombstones.empty() && derived_writes.empty();
}

}  // namespace orrery::item
