#include "item/row/partition_head.h"

#include "model/row/row_codec.h"

namespace orrery::item {

std::string MarkCleared(const model::Deletion& deletion) {
  model::Row head;
  head.column_deletions.push_back({kClearedMark, deletion});
  std::string encoded;
  model::EncodeRow(encoded, head);
  return encoded;
}

model::Deletion PartitionShadow::At(std::string_view clustering) const {
  if (clustering.empty() || cleared.empty()) return whole;
  const model::Deletion range = ClearedAt(cleared, clustering);
  return range.timestamp > whole.timestamp ? range : whole;
}

bool IsMarkedCleared(const model::Row& head) {
  return !head.column_deletions.empty() && head.column_deletions.back().column == kClearedMark;
}

}  // namespace orrery::item
