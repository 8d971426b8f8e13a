#include "item/row/static_row.h"

#include "model/row/row_codec.h"

namespace orrery::item {

std::string MarkRangeTombstones(const model::Deletion& deletion) {
  model::Row static_row;
  static_row.column_deletions.push_back({kRangeTombstoneMark, deletion});
  std::string encoded;
  model::EncodeRow(encoded, static_row);
  return encoded;
}

model::Deletion PartitionTombstones::At(std::string_view clustering) const {
  if (clustering.empty() || range_tombstones.empty()) return whole;
  const model::Deletion range = RangeTombstoneAt(range_tombstones, clustering);
  return range.timestamp > whole.timestamp ? range : whole;
}

bool HasRangeTombstoneMark(const model::Row& static_row) {
  return !static_row.column_deletions.empty() &&
         static_row.column_deletions.back().column == kRangeTombstoneMark;
}

}  // namespace orrery::item
