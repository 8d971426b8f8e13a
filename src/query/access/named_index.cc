#include "query/access/named_index.h"

#include <algorithm>

namespace orrery::query {

bool IsBuilt(const item::ContainerSchema& schema, const item::NamedIndex& index) {
  if (!schema.former_indexing.has_value()) return true;
  const auto& former = schema.former_indexing->named();
  if (std::ranges::find(former, index.id, &item::NamedIndex::id) == former.end()) return false;
  // The value at a path may be computed in another way now.
  return std::ranges::all_of(index.paths, [&](const model::Path& path) {
    if (path.steps().empty()) return true;
    const auto* now = schema.indexing.FindComputed(path.steps().front());
    const auto* before = schema.former_indexing->FindComputed(path.steps().front());
    return now == nullptr || before == nullptr ? now == before : *now == *before;
  });
}

std::optional<item::IndexId> FindNamedIndex(const item::ContainerSchema& schema,
                                            item::IndexKind kind, const DocumentPath& path) {
  for (const item::NamedIndex& index : schema.indexing.named()) {
    if (index.kind == kind && index.paths.size() == 1 &&
        DocumentPath::At(index.paths.front()) == path && IsBuilt(schema, index))
      return item::NamedIndexId(index.id);
  }
  return std::nullopt;
}

}  // namespace orrery::query
