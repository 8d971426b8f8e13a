// Lets the engine merge changes of rows that were written without reading: the changes meet when
// the row is read or compacted, and the rules of model/row/row_merge.h decide, cell by cell. A row
// that is whole then forgets what is dead in it: one that is written all the time is merged in
// every compaction, and the engine asks no KeepRule about what it merges.
//
// Thread-safe.
#pragma once

#include "item/maintenance/retention_rule.h"
#include "storage/rules.h"

namespace orrery::item {

class RowMergeRule : public storage::MergeRule {
 public:
  // Without a rule nothing is forgotten. It must outlive this one.
  explicit RowMergeRule(const RetentionRule* retention = nullptr) : retention_(retention) {}

  bool Merge(std::string_view key, std::optional<std::string_view> existing,
             const std::vector<std::string_view>& operands, bool partial,
             std::string& merged) const override;

 private:
  const RetentionRule* const retention_;
};

}  // namespace orrery::item
