#include "item/index/document_lookup.h"

namespace orrery::item {

std::optional<model::ElementView> FindAt(model::DocumentView document,
                                         std::span<const std::string> steps) {
  const auto found = document.Find(steps.front());
  if (!found.has_value() || steps.size() == 1) return found;
  if (found->kind() != model::Kind::kObject) return std::nullopt;
  return FindAt(found->AsDocument(), steps.subspan(1));
}

}  // namespace orrery::item
