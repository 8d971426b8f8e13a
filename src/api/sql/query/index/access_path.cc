#include "api/sql/query/index/access_path.h"

#include <algorithm>
#include <span>
#include <utility>

#include "api/sql/document/document_form.h"
#include "api/sql/query/bind/order_direction.h"

namespace orrery::sql {
namespace {

// Properties that are made when a document is read, so that no index has them.
bool IsStored(const Place& place) {
  return !place.steps.empty() &&
         (!IsSystemProperty(place.steps.front().name) || place.steps.front().name == kTimeProperty);
}

bool IsPath(const Place& place, const model::Path& path) {
  return std::ranges::equal(place.steps, path.steps(),
                            [](const Place::Step& step, const std::string& name) {
                              return !step.is_element && step.name == name;
                            });
}

// Whether documents can have such a key: longer ones are refused when they are written.
bool CanBeKey(const gateway::KeyValues& key, const item::ContainerSchema& schema) {
  constexpr size_t kKeyBytesMax = 2'048;
  size_t bytes = 0;
  for (const model::Value& value : key)
    bytes += value.kind() == model::Kind::kString ? value.AsString().size() : sizeof(double);
  return bytes <
         (schema.hashing == partition::KeyHashing::kV1 ? gateway::kV1KeyBytesMax : kKeyBytesMax);
}

// The equal values that the predicates state for the key's paths, up to the first without.
std::optional<gateway::KeyValues> KeyFrom(const std::vector<Predicate>& predicates,
                                          const item::ContainerSchema& schema) {
  gateway::KeyValues key;
  for (const model::Path& path : schema.partition_key_paths) {
    const auto found = std::ranges::find_if(predicates, [&](const Predicate& predicate) {
      return predicate.equal.has_value() && IsPath(predicate.place, path);
    });
    if (found == predicates.end()) break;
    key.push_back(*found->equal);
  }
  const bool is_hierarchical = schema.hashing == partition::KeyHashing::kMultiHash;
  const bool is_whole = key.size() == schema.partition_key_paths.size();
  if (key.empty() || (!is_whole && !is_hierarchical) || !CanBeKey(key, schema)) return std::nullopt;
  return key;
}

// How few documents a predicate is likely to leave.
constexpr int kOneBound = 1;
constexpr int kFewValues = 3;
constexpr int kOneValue = 4;

int RankOf(const Predicate& predicate) {
  if (predicate.equal.has_value()) return kOneValue;
  if (predicate.ranges.size() > 1) return kFewValues;
  const ValueRange& range = predicate.ranges.front();
  const auto is_value = [](const std::optional<item::ValueBound>& bound) {
    return bound.has_value() && bound->encoded.size() > 1;  // not merely a type
  };
  return (is_value(range.lower) ? 1 : 0) + (is_value(range.upper) ? 1 : 0);
}

class Chooser {
 public:
  // `known_paths`: of the part of the partition key that is known.
  Chooser(const item::ContainerSchema& schema, std::span<const model::Path> known_paths,
          std::vector<Predicate> predicates)
      : schema_(schema), known_paths_(known_paths), predicates_(std::move(predicates)) {}

  // Null when none has at least this rank.
  const Predicate* Best(int rank_min) {
    const Predicate* best = nullptr;
    for (Predicate& predicate : predicates_) {
      if (!IsStored(predicate.place) || IsOfKey(predicate.place) ||
          !predicate.place.IndexOf(schema_).has_value())
        continue;
      Narrow(predicate);
      const int rank = RankOf(predicate);
      if (rank >= rank_min && (best == nullptr || rank > RankOf(*best))) best = &predicate;
    }
    return best;
  }

  // All that the predicates say of a place.
  std::vector<ValueRange> RangesAt(const Place& place) {
    for (Predicate& predicate : predicates_) {
      if (predicate.place != place) continue;
      Narrow(predicate);
      return predicate.ranges;
    }
    return {ValueRange()};
  }

 private:
  // Of a key that is known: every document found has that value.
  bool IsOfKey(const Place& place) const {
    return std::ranges::any_of(known_paths_,
                               [&](const model::Path& path) { return IsPath(place, path); });
  }
  void Narrow(Predicate& predicate) const {
    for (const Predicate& other : predicates_)
      if (auto both = Intersect(other, predicate)) predicate = *std::move(both);
  }

  const item::ContainerSchema& schema_;
  const std::span<const model::Path> known_paths_;
  std::vector<Predicate> predicates_;
};

// The single place that the query's rows are ordered by.
std::optional<Place> OrderPlace(const ast::Query& query, const PredicateContext& context) {
  if (!query.order_by.has_value() || query.order_by->is_rank ||
      query.order_by->orderings.size() != 1 || !query.group_by.empty())
    return std::nullopt;
  auto place = PlaceOf(query.order_by->orderings.front().value, DocumentPlaces(query));
  if (!place.has_value() || place->has_elements() || !IsStored(*place) ||
      context.IsComputed(*place))
    return std::nullopt;
  return place;
}

}  // namespace

bool IndexPath::has_single_values() const {
  return std::ranges::all_of(ranges, [](const ValueRange& range) { return range.is_one_value(); });
}

AccessPath ChooseAccessPath(const ast::Query& query, const item::ContainerSchema& schema,
                            const std::optional<gateway::KeyValues>& partition_key,
                            const PredicateContext& context) {
  AccessPath path;
  const ast::Query* reader = ReaderOf(query);
  if (reader == nullptr) return path;
  std::vector<Predicate> predicates = PredicatesOf(*reader, context);
  if (!partition_key.has_value()) path.partition_key = KeyFrom(predicates, schema);
  const auto& key = partition_key.has_value() ? partition_key : path.partition_key;
  // Within one logical partition only single values are found without passing those of others.
  const bool is_narrow = key.has_value() && !schema.partition_key_paths.empty() &&
                         key->size() == schema.partition_key_paths.size();
  if (is_narrow || schema.partition_key_paths.empty()) {
    for (const Predicate& predicate : predicates) {
      if (predicate.equal.has_value() && IsPath(predicate.place, schema.row_key_path))
        path.row_key = predicate.equal;
    }
    if (path.row_key.has_value()) {
      if (!key.has_value()) path.partition_key.emplace();
      return path;
    }
  }

  const auto known = std::span(schema.partition_key_paths).first(key.has_value() ? key->size() : 0);
  Chooser chooser(schema, known, std::move(predicates));
  const Predicate* best = chooser.Best(is_narrow ? kFewValues : kOneBound);
  const bool finds_few = best != nullptr && RankOf(*best) >= kFewValues;
  const bool may_order = reader == &query && !finds_few && !is_narrow;
  if (const auto place = may_order ? OrderPlace(query, context) : std::nullopt) {
    if (const auto index = place->IndexOf(schema)) {
      path.index = {*place, *index, chooser.RangesAt(*place),
                    IsDescending(query.order_by->orderings.front())};
      path.is_ordered = true;
      return path;
    }
  }
  if (best != nullptr)
    path.index = {best->place, *best->place.IndexOf(schema), best->ranges, /*descending=*/false};
  return path;
}

}  // namespace orrery::sql
