// The row that a logical partition of a clustered table has for itself (its clustering key is
// empty): static cells, the deletion of the whole partition, and a mark that some of its ranges
// have tombstones, so that readers need not look for such ranges where there are none.
#pragma once

#include <string>
#include <vector>

#include "item/row/range_tombstones.h"
#include "model/row/row.h"

namespace orrery::item {

// No table has this many columns: the mark is a deletion of a column that never was.
inline constexpr model::ColumnId kRangeTombstoneMark = UINT32_MAX;

// A change of the static_row that marks it.
std::string MarkRangeTombstones(const model::Deletion& deletion);

// The tombstones that make rows of a partition invisible.
struct PartitionTombstones {
  model::Deletion whole;
  std::vector<RangeTombstone> range_tombstones;

  model::Deletion At(std::string_view clustering) const;
};

bool HasRangeTombstoneMark(const model::Row& static_row);

}  // namespace orrery::item
