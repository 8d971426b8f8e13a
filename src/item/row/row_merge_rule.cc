#include "item/row/row_merge_rule.h"

#include "item/layout/key_layout.h"
#include "model/row/row_merge.h"

namespace orrery::item {

bool RowMergeRule::Merge(std::string_view key, std::optional<std::string_view> existing,
                         const std::vector<std::string_view>& operands, bool /*partial*/,
                         std::string& merged) const {
  if (key.empty() || static_cast<Space>(key.front()) != Space::kRow) return false;
  if (!existing.has_value() && operands.size() == 1) {
    merged.assign(operands.front());
    return true;
  }
  std::vector<std::string_view> rows;
  rows.reserve(operands.size() + 1);
  if (existing.has_value()) rows.push_back(*existing);
  rows.insert(rows.end(), operands.begin(), operands.end());
  return model::MergeEncodedRows(rows, merged).has_value();
}

}  // namespace orrery::item
