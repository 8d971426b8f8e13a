#include "query/access/index_use.h"

#include <algorithm>
#include <utility>

#include "query/access/named_index.h"

namespace orrery::query {
namespace {

constexpr size_t kPathsMax = 8;  // of a composite index

std::string PathText(const DocumentPath& at) { return at.ToString() + "/?"; }

// As a policy names a text index, cells or vectors.
std::string NamedText(item::IndexKind kind, const DocumentPath& at) {
  return at.ToString() + (kind == item::IndexKind::kQuadtreeCells ? "/*" : "");
}

std::string DirectedText(const DocumentPath& at, bool descending) {
  return at.ToString() + (descending ? " DESC" : " ASC");
}

IndexUse::Composite CompositeText(const item::NamedIndex& index) {
  IndexUse::Composite paths;
  for (size_t i = 0; i < index.paths.size(); ++i) {
    paths.push_back(index.paths[i].ToString() +
                    (index.direction(i) == model::Direction::kDescending ? " DESC" : " ASC"));
  }
  return paths;
}

void AddUsed(const AccessPath& path, const item::ContainerSchema& schema, IndexUse& use) {
  for (const IndexPath& index : path.index_union) {
    std::string text = PathText(index.paths.front());
    if (std::ranges::find(use.used, text) == use.used.end()) use.used.push_back(std::move(text));
  }
  if (path.nearest.has_value()) use.used.push_back(path.nearest->path.ToString());
  if (path.row_key.has_value()) use.used.push_back(schema.row_key_path.ToString() + "/?");
  if (!path.index.has_value()) return;
  if (path.index->kind != item::IndexKind::kValues) {
    use.used.push_back(NamedText(path.index->kind, path.index->paths.front()));
    return;
  }
  if (!path.index->is_composite()) {
    use.used.push_back(PathText(path.index->paths.front()));
    return;
  }
  for (const item::NamedIndex& index : schema.indexing.named())
    if (item::NamedIndexId(index.id) == path.index->index)
      use.used_composite.push_back(CompositeText(index));
}

void AddUnindexed(const DocumentPath& at, const item::ContainerSchema& schema, IndexUse& use) {
  DocumentPath values = at;
  values.of_types = false;
  if (values.IndexOf(schema).has_value()) return;
  std::string text = PathText(at);
  if (std::ranges::find(use.potential, text) == use.potential.end())
    use.potential.push_back(std::move(text));
}

void AddUnindexed(item::IndexKind kind, const DocumentPath& at, const item::ContainerSchema& schema,
                  IndexUse& use) {
  if (FindNamedIndex(schema, kind, at).has_value()) return;
  std::string text = NamedText(kind, at);
  if (std::ranges::find(use.potential, text) == use.potential.end())
    use.potential.push_back(std::move(text));
}

// Paths of conditions: those of equal values, then one of a range.
IndexUse::Composite CompositeOf(const std::vector<Predicate>& predicates) {
  IndexUse::Composite paths;
  const auto add = [&](const Predicate& predicate) {
    std::string text = DirectedText(predicate.path, /*descending=*/false);
    if (std::ranges::find(paths, text) == paths.end()) paths.push_back(std::move(text));
  };
  const auto may_have = [](const Predicate& predicate) {
    return !predicate.path.has_elements() && !predicate.path.of_types;
  };
  for (const Predicate& predicate : predicates)
    if (may_have(predicate) && predicate.equal.has_value()) add(predicate);
  if (paths.empty()) return paths;
  for (const Predicate& predicate : predicates) {
    if (!may_have(predicate) || predicate.equal.has_value()) continue;
    add(predicate);
    break;
  }
  return paths;
}

}  // namespace

IndexUse IndexUseOf(const Conditions& conditions, const AccessPath& path,
                    const item::ContainerSchema& schema) {
  IndexUse use;
  AddUsed(path, schema, use);
  for (const Predicate& predicate : conditions.all) AddUnindexed(predicate.path, schema, use);
  for (const ResidualPredicate& residual : conditions.residuals)
    AddUnindexed(residual.path, schema, use);
  for (const TermCondition& condition : conditions.terms)
    AddUnindexed(item::IndexKind::kTerms, condition.path, schema, use);
  for (const ShapeCondition& condition : conditions.shapes)
    AddUnindexed(item::IndexKind::kQuadtreeCells, condition.path, schema, use);
  if (conditions.nearest.has_value())
    AddUnindexed(item::IndexKind::kVectors, conditions.nearest->path, schema, use);
  const auto& order = conditions.order;
  if (order.has_value())
    for (const DocumentPath& at : order->paths) AddUnindexed(at, schema, use);

  if (path.row_key.has_value() || (path.index.has_value() && path.index->is_composite()))
    return use;
  if (order.has_value() && order->paths.size() > 1 && order->paths.size() <= kPathsMax) {
    IndexUse::Composite& wanted = use.potential_composite.emplace_back();
    for (size_t i = 0; i < order->paths.size(); ++i)
      wanted.push_back(DirectedText(order->paths[i], order->descending[i]));
  } else if (auto wanted = CompositeOf(conditions.all);
             wanted.size() > 1 && wanted.size() <= kPathsMax) {
    use.potential_composite.push_back(std::move(wanted));
  }
  return use;
}

}  // namespace orrery::query
