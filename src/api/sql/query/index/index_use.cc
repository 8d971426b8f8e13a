#include "api/sql/query/index/index_use.h"

#include <algorithm>
#include <utility>

#include "api/sql/query/index/cell_path.h"
#include "api/sql/query/index/check.h"
#include "api/sql/query/index/composite_path.h"
#include "api/sql/query/index/named_index.h"
#include "api/sql/query/index/word_path.h"

namespace orrery::sql {
namespace {

constexpr size_t kPathsMax = 8;  // of a composite index

std::string TextOf(const Place& place) {
  std::string text;
  for (const Place::Step& step : place.steps) text += "/" + (step.is_element ? "[]" : step.name);
  return text;
}

std::string PathText(const Place& place) { return TextOf(place) + "/?"; }

// As a policy names an index of words, cells or vectors.
std::string NamedText(item::IndexKind kind, const Place& place) {
  return TextOf(place) + (kind == item::IndexKind::kCells ? "/*" : "");
}

std::string DirectedText(const Place& place, bool descending) {
  return TextOf(place) + (descending ? " DESC" : " ASC");
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
  for (const IndexPath& index : path.any_of) {
    std::string text = PathText(index.places.front());
    if (std::ranges::find(use.used, text) == use.used.end()) use.used.push_back(std::move(text));
  }
  if (path.nearest.has_value()) use.used.push_back(TextOf(path.nearest->place));
  if (path.row_key.has_value()) use.used.push_back(schema.row_key_path.ToString() + "/?");
  if (!path.index.has_value()) return;
  if (path.index->kind != item::IndexKind::kValues) {
    use.used.push_back(NamedText(path.index->kind, path.index->places.front()));
    return;
  }
  if (!path.index->is_composite()) {
    use.used.push_back(PathText(path.index->places.front()));
    return;
  }
  for (const item::NamedIndex& index : schema.indexing.named())
    if (item::NamedIndexId(index.id) == path.index->index)
      use.used_composite.push_back(CompositeText(index));
}

void AddUnindexed(const Place& place, const item::ContainerSchema& schema, IndexUse& use) {
  Place values = place;
  values.of_kinds = false;
  if (!IsIndexable(place) || values.IndexOf(schema).has_value()) return;
  std::string text = PathText(place);
  if (std::ranges::find(use.potential, text) == use.potential.end())
    use.potential.push_back(std::move(text));
}

void AddUnindexed(item::IndexKind kind, const Place& place, const item::ContainerSchema& schema,
                  IndexUse& use) {
  if (FindNamedIndex(schema, kind, place).has_value()) return;
  std::string text = NamedText(kind, place);
  if (std::ranges::find(use.potential, text) == use.potential.end())
    use.potential.push_back(std::move(text));
}

// Places of conditions: those of equal values, then one of a range.
IndexUse::Composite CompositeOf(const std::vector<Predicate>& predicates) {
  IndexUse::Composite paths;
  const auto add = [&](const Predicate& predicate) {
    std::string text = DirectedText(predicate.place, /*descending=*/false);
    if (std::ranges::find(paths, text) == paths.end()) paths.push_back(std::move(text));
  };
  const auto may_have = [](const Predicate& predicate) {
    return IsIndexable(predicate.place) && !predicate.place.has_elements() &&
           !predicate.place.of_kinds;
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

IndexUse IndexUseOf(const ast::Query& query, const AccessPath& path,
                    const item::ContainerSchema& schema, const PredicateContext& context) {
  IndexUse use;
  const ast::Query* reader = ReaderOf(query);
  if (reader == nullptr) return use;
  AddUsed(path, schema, use);
  const std::vector<Predicate> predicates = PredicatesOf(*reader, context);
  for (const Predicate& predicate : predicates) AddUnindexed(predicate.place, schema, use);
  for (const Check& check : ChecksOf(*reader, context)) AddUnindexed(check.place, schema, use);
  for (const WordCondition& condition : WordConditionsOf(*reader, context))
    AddUnindexed(item::IndexKind::kWords, condition.place, schema, use);
  for (const ShapeCondition& condition : ShapeConditionsOf(*reader, context))
    AddUnindexed(item::IndexKind::kCells, condition.place, schema, use);
  if (const auto nearness = NearnessOrderOf(query, context); nearness.has_value())
    AddUnindexed(item::IndexKind::kVectors, nearness->place, schema, use);
  const auto order = reader == &query ? WantedOrderOf(query, context) : std::nullopt;
  if (order.has_value())
    for (const Place& place : order->places) AddUnindexed(place, schema, use);

  if (path.row_key.has_value() || (path.index.has_value() && path.index->is_composite()))
    return use;
  if (order.has_value() && order->places.size() > 1 && order->places.size() <= kPathsMax) {
    IndexUse::Composite& wanted = use.potential_composite.emplace_back();
    for (size_t i = 0; i < order->places.size(); ++i)
      wanted.push_back(DirectedText(order->places[i], order->descending[i]));
  } else if (auto wanted = CompositeOf(predicates);
             wanted.size() > 1 && wanted.size() <= kPathsMax) {
    use.potential_composite.push_back(std::move(wanted));
  }
  return use;
}

}  // namespace orrery::sql
