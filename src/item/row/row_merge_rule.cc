#include "item/row/row_merge_rule.h"

#include <algorithm>
#include <utility>

#include "item/layout/key_layout.h"
#include "model/row/row_codec.h"
#include "model/row/row_merge.h"

namespace orrery::item {

bool RowMergeRule::Merge(std::string_view key, std::optional<std::string_view> existing,
                         const std::vector<std::string_view>& operands, bool partial,
                         std::string& merged) const {
  if (key.empty() || static_cast<Space>(key.front()) != Space::kRow) return false;
  if (!existing.has_value() && operands.size() == 1) {
    merged.assign(operands.front());
    return true;
  }
  model::RowMerger merger;
  model::Row row;
  const auto add = [&](std::string_view bytes) {
    if (!model::DecodeRow(bytes, row).has_value()) return false;
    merger.Add(row);
    return true;
  };
  if (existing.has_value() && !add(*existing)) return false;
  if (!std::ranges::all_of(operands, add)) return false;
  row = std::move(merger).row();
  if (!partial && retention_ != nullptr) retention_->Forget(key, row);
  model::EncodeRow(merged, row);
  return true;
}

}  // namespace orrery::item
