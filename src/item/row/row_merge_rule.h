// Lets the engine merge changes of rows that were written without reading: the changes meet when
// the row is read or compacted, and the rules of model/row/row_merge.h decide, cell by cell.
//
// Thread-safe: it has no state.
#pragma once

#include "storage/rules.h"

namespace orrery::item {

class RowMergeRule : public storage::MergeRule {
 public:
  bool Merge(std::string_view key, std::optional<std::string_view> existing,
             const std::vector<std::string_view>& operands, bool partial,
             std::string& merged) const override;
};

}  // namespace orrery::item
