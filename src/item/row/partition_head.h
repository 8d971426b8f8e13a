// The row that a logical partition of a clustered table has for itself (its clustering key is
// empty): static cells, the deletion of the whole partition, and a mark that some of its ranges
// were cleared, so that readers need not look for such ranges where there are none.
#pragma once

#include <string>
#include <vector>

#include "item/row/cleared_ranges.h"
#include "model/row/row.h"

namespace orrery::item {

// No table has this many columns: the mark is a deletion of a column that never was.
inline constexpr model::ColumnId kClearedMark = UINT32_MAX;

// A change of the head that marks it.
std::string MarkCleared(const model::Deletion& deletion);

// What makes rows of the partition invisible.
struct PartitionShadow {
  model::Deletion whole;
  std::vector<ClearedRange> cleared;

  model::Deletion At(std::string_view clustering) const;
};

bool IsMarkedCleared(const model::Row& head);

}  // namespace orrery::item
