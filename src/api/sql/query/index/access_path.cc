#include "api/sql/query/index/access_path.h"

#include <algorithm>
#include <span>
#include <tuple>
#include <utility>

#include "api/sql/query/index/cell_path.h"
#include "api/sql/query/index/check.h"
#include "api/sql/query/index/composite_path.h"
#include "api/sql/query/index/named_index.h"
#include "api/sql/query/index/word_path.h"
#include "model/key/key_codec.h"

namespace orrery::sql {
namespace {

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
      return predicate.equal.has_value() && predicate.place.IsAt(path.steps());
    });
    if (found == predicates.end()) break;
    key.push_back(*found->equal);
  }
  const bool is_hierarchical = schema.hashing == partition::KeyHashing::kMultiHash;
  const bool is_whole = key.size() == schema.partition_key_paths.size();
  if (key.empty() || (!is_whole && !is_hierarchical) || !CanBeKey(key, schema)) return std::nullopt;
  return key;
}

// The values that the predicates leave for one path of the key; none: any.
std::vector<model::Value> ValuesAt(const std::vector<Predicate>& predicates,
                                   const model::Path& path) {
  std::vector<model::Value> values;
  for (const Predicate& predicate : predicates) {
    if (!predicate.place.IsAt(path.steps())) continue;
    if (predicate.equal.has_value()) return {*predicate.equal};
    if (values.empty()) values = predicate.any_of;
  }
  return values;
}

// Keys that are listed; a query with more is sent everywhere.
constexpr size_t kKeysMax = 1'000;

// How few documents a predicate is likely to leave.
constexpr int kOneBound = 1;
constexpr int kTwoBounds = 2;
constexpr int kFewValues = 3;
constexpr int kOneValue = 4;

int RankOf(const Predicate& predicate) {
  // Of that kind, or there at all, may be most documents.
  if (predicate.is_presence) return kOneBound;
  if (predicate.equal.has_value()) return kOneValue;
  if (predicate.ranges.size() > 1) return kFewValues;
  const ValueRange& range = predicate.ranges.front();
  if (range.is_one_value()) return kOneValue;
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
      if (!IsIndexable(predicate.place) || IsOfKey(predicate.place) ||
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

  // The index over several paths that says most, if one says more than those of single paths:
  // equal values first, then the order. Within one logical partition only if it finds no others, or
  // if it is all there is to give the order.
  std::optional<CompositePath> BestComposite(const std::optional<WantedOrder>& order,
                                             bool is_narrow, bool finds_few) {
    std::optional<CompositePath> best;
    auto best_score = std::make_tuple(size_t{0}, false, false);
    for (CompositePath& path :
         CompositePathsOf(schema_, Known(), order.has_value() ? &*order : nullptr)) {
      const size_t found = static_cast<size_t>(
          std::ranges::count_if(path.equal, [&](const Place& place) { return !IsOfKey(place); }));
      const bool finds = found + (path.is_bounded ? 1 : 0) >= 2 && found >= 1;
      const bool orders = path.is_ordered && (order->places.size() > 1 || !path.equal.empty()) &&
                          (found >= 1 || !finds_few);
      if (!finds && !orders) continue;
      const bool finds_others = !HasKey(path) && !path.path.has_single_values();
      if (is_narrow && finds_others && (found > 0 || !orders)) continue;
      const auto score = std::make_tuple(found, orders, path.is_bounded);
      if (best.has_value() && score <= best_score) continue;
      best = std::move(path);
      best_score = score;
    }
    return best;
  }

 private:
  // What is said of places of documents, one predicate for each.
  std::vector<Predicate> Known() {
    std::vector<Predicate> known;
    for (Predicate& predicate : predicates_) {
      if (!IsIndexable(predicate.place) || predicate.place.has_elements() ||
          predicate.place.of_kinds)
        continue;
      Narrow(predicate);
      if (std::ranges::find(known, predicate.place, &Predicate::place) == known.end())
        known.push_back(predicate);
    }
    return known;
  }
  bool HasKey(const CompositePath& path) const {
    return std::ranges::all_of(schema_.partition_key_paths, [&](const model::Path& key) {
      return std::ranges::any_of(path.equal,
                                 [&](const Place& place) { return place.IsAt(key.steps()); });
    });
  }
  // Of a key that is known: every document found has that value.
  bool IsOfKey(const Place& place) const {
    return std::ranges::any_of(known_paths_,
                               [&](const model::Path& path) { return place.IsAt(path.steps()); });
  }
  void Narrow(Predicate& predicate) const {
    for (const Predicate& other : predicates_)
      if (auto both = Intersect(other, predicate)) predicate = *std::move(both);
  }

  const item::ContainerSchema& schema_;
  const std::span<const model::Path> known_paths_;
  std::vector<Predicate> predicates_;
};

// That documents have the key's values.
void AddKey(std::span<const model::Path> paths, const gateway::KeyValues& key, model::Order order,
            std::vector<Predicate>& predicates) {
  for (size_t i = 0; i < paths.size(); ++i) {
    if (key[i].is_undefined()) continue;
    Place place;
    for (const std::string& step : paths[i].steps()) place = place.Field(step);
    const item::ValueBound value{model::EncodeKey({&key[i], 1}, order), true};
    predicates.push_back({std::move(place), {{value, value}}, key[i]});
  }
}

// Whether it is one logical partition's.
bool IsWhole(const std::optional<gateway::KeyValues>& key, const item::ContainerSchema& schema) {
  return key.has_value() && !schema.partition_key_paths.empty() &&
         key->size() == schema.partition_key_paths.size();
}

AccessPath ChooseByConditions(const ast::Query& query, const item::ContainerSchema& schema,
                              const std::optional<gateway::KeyValues>& partition_key,
                              const PredicateContext& context) {
  AccessPath path;
  const ast::Query* reader = ReaderOf(query);
  if (reader == nullptr) return path;
  std::vector<Predicate> predicates = PredicatesOf(*reader, context);
  if (!partition_key.has_value()) path.partition_key = KeyFrom(predicates, schema);
  const auto& key = partition_key.has_value() ? partition_key : path.partition_key;
  // Within one logical partition single values are found without passing those of others.
  const bool is_narrow = IsWhole(key, schema);
  if (is_narrow || schema.partition_key_paths.empty()) {
    for (const Predicate& predicate : predicates) {
      if (predicate.equal.has_value() && predicate.place.IsAt(schema.row_key_path.steps()))
        path.row_key = predicate.equal;
    }
    if (path.row_key.has_value()) {
      if (!key.has_value()) path.partition_key.emplace();
      return path;
    }
  }

  const auto known = std::span(schema.partition_key_paths).first(key.has_value() ? key->size() : 0);
  if (key.has_value()) AddKey(known, *key, schema.order, predicates);
  Chooser chooser(schema, known, std::move(predicates));
  const Predicate* best = chooser.Best(is_narrow ? kTwoBounds : kOneBound);
  auto words = WordPathOf(WordConditionsOf(*reader, context), schema);
  const bool has_few = best != nullptr && RankOf(*best) >= kFewValues;
  std::optional<IndexPath> cells;
  if (!is_narrow && !has_few) cells = CellPathOf(ShapeConditionsOf(*reader, context), schema);
  const bool finds_few = has_few || words.has_value() || cells.has_value();
  const auto order = reader == &query ? WantedOrderOf(query, context) : std::nullopt;
  if (auto composite = chooser.BestComposite(order, is_narrow, finds_few)) {
    path.is_ordered = composite->is_ordered;
    path.index = std::move(composite->path);
    return path;
  }
  if (words.has_value() && (best == nullptr || RankOf(*best) < kOneValue)) {
    path.index = *std::move(words);
    return path;
  }
  if (cells.has_value()) {
    path.index = *std::move(cells);
    return path;
  }
  const bool may_order = order.has_value() && order->places.size() == 1 && !finds_few;
  if (may_order) {
    const Place& place = order->places.front();
    if (const auto index = place.IndexOf(schema)) {
      path.index = {{place}, *index, chooser.RangesAt(place), order->descending.front()};
      path.is_ordered = true;
      return path;
    }
  }
  if (best != nullptr) path.index = {{best->place}, *best->place.IndexOf(schema), best->ranges};
  return path;
}

std::optional<IndexPath> IndexAt(const Place& place, std::vector<ValueRange> ranges,
                                 const item::ContainerSchema& schema) {
  if (!IsIndexable(place) || place.has_elements()) return std::nullopt;
  const auto index = place.IndexOf(schema);
  if (!index.has_value()) return std::nullopt;
  return IndexPath{{place}, *index, std::move(ranges)};
}

// Indexes that find no fewer documents, but whose entries may spare a look at them.
class EntryChooser {
 public:
  EntryChooser(const ast::Query& query, const item::ContainerSchema& schema,
               const PredicateContext& context)
      : query_(query), reader_(*ReaderOf(query)), schema_(schema), context_(context) {
    checks_ = ChecksOf(reader_, context);
  }

  // What the entries of the path's index spare.
  void Use(AccessPath& path) const {
    if (!path.index.has_value() || path.index->is_named() || path.nearest.has_value()) return;
    auto use = EntryUseOf(query_, path.index->places.front(), schema_, context_);
    if (!use.has_value() || !(use->is_whole || IsChecked(use->place))) return;
    if (use->is_one_entry) path.index->descending = use->descending;
    path.entries = std::move(use);
  }

  // When nothing finds fewer than all documents. `key`: what is known of the partition key.
  void Choose(const std::optional<gateway::KeyValues>& key, AccessPath& path) const {
    if (key.has_value() && !key->empty()) {
      // Of an index of other values those of other keys would all be passed; the entries of the
      // key's first value at its own path are in ring order, where the key's are together.
      if (key->front().is_undefined()) return;
      const item::ValueBound value{model::EncodeKey({&key->front(), 1}, schema_.order), true};
      TryWhole(PlaceAt(schema_.partition_key_paths.front()), {{value, value}}, path);
      return;
    }
    for (const Check& check : checks_) {
      if (!check.is_selective) continue;
      path.index = IndexAt(check.place, {check.range}, schema_);
      Use(path);
      if (path.entries.has_value()) return;
      path.index.reset();
    }
    for (const Check& check : checks_)
      if (TryWhole(check.place, {check.range}, path)) return;
    for (const Predicate& predicate : PredicatesOf(reader_, context_))
      if (TryWhole(predicate.place, predicate.ranges, path)) return;
    // Every document has an id.
    TryWhole(PlaceAt(schema_.row_key_path), {ValueRange()}, path);
  }

 private:
  bool IsChecked(const Place& place) const {
    return std::ranges::any_of(
        checks_, [&](const Check& check) { return check.is_selective && check.place == place; });
  }

  bool TryWhole(const Place& place, std::vector<ValueRange> ranges, AccessPath& path) const {
    auto index = IndexAt(place, std::move(ranges), schema_);
    if (!index.has_value()) return false;
    path.index = std::move(index);
    Use(path);
    if (path.entries.has_value() && path.entries->is_whole) return true;
    path.index.reset();
    path.entries.reset();
    return false;
  }

  const ast::Query& query_;
  const ast::Query& reader_;
  const item::ContainerSchema& schema_;
  const PredicateContext& context_;
  std::vector<Check> checks_;
};

// How many indexes are looked into for one condition.
constexpr size_t kAlternativesMax = 64;

// An index for each alternative of a condition; none when one of them has none. `key`: what is
// known of the partition key.
std::vector<IndexPath> PathsOfAlternatives(const ast::Query& reader,
                                           const item::ContainerSchema& schema,
                                           const std::optional<gateway::KeyValues>& key,
                                           const PredicateContext& context) {
  const auto known = std::span(schema.partition_key_paths).first(key.has_value() ? key->size() : 0);
  const int rank_min = IsWhole(key, schema) ? kFewValues : kOneBound;
  for (std::vector<std::vector<Predicate>>& alternatives : AlternativesOf(reader, context)) {
    if (alternatives.size() > kAlternativesMax) continue;
    std::vector<IndexPath> paths;
    for (std::vector<Predicate>& predicates : alternatives) {
      Chooser chooser(schema, known, std::move(predicates));
      const Predicate* best = chooser.Best(rank_min);
      if (best == nullptr) break;
      paths.push_back({{best->place}, *best->place.IndexOf(schema), best->ranges});
    }
    if (paths.size() == alternatives.size()) return paths;
  }
  return {};
}

std::vector<item::IndexRange> RangesOf(const IndexPath& path) {
  std::vector<item::IndexRange> ranges;
  for (const ValueRange& range : path.ranges)
    ranges.push_back({.index = path.index, .lower = range.lower, .upper = range.upper});
  return ranges;
}

}  // namespace

bool IndexPath::has_single_values() const {
  return std::ranges::all_of(ranges, [&](const ValueRange& range) { return IsOneValue(range); });
}

AccessPath ChooseAccessPath(const ast::Query& query, const item::ContainerSchema& schema,
                            const std::optional<gateway::KeyValues>& partition_key,
                            const PredicateContext& context) {
  AccessPath path = ChooseByConditions(query, schema, partition_key, context);
  if (path.row_key.has_value()) return path;
  auto order = NearnessOrderOf(query, context);
  if (!order.has_value()) {
    const ast::Query* reader = ReaderOf(query);
    if (reader == nullptr) return path;
    const EntryChooser entries(query, schema, context);
    if (path.index.has_value()) {
      entries.Use(path);
      return path;
    }
    const auto& key = partition_key.has_value() ? partition_key : path.partition_key;
    path.any_of = PathsOfAlternatives(*reader, schema, key, context);
    if (path.any_of.empty()) entries.Choose(key, path);
    return path;
  }
  // A range of values may be nearly all documents: they are sooner met by nearness.
  const bool finds_few =
      path.index.has_value() && (path.index->is_named() || path.index->has_single_values());
  path.nearest =
      NearestPathOf(*std::move(order),
                    finds_few ? RangesOf(*path.index) : std::vector<item::IndexRange>(), schema);
  if (!path.nearest.has_value()) return path;
  if (!finds_few) path.unranked = std::exchange(path.index, std::nullopt);
  path.is_ordered = true;
  return path;
}

std::vector<gateway::KeyValues> KeysOf(const ast::Query& query, const item::ContainerSchema& schema,
                                       const PredicateContext& context) {
  const ast::Query* reader = ReaderOf(query);
  if (reader == nullptr || schema.partition_key_paths.empty()) return {};
  const std::vector<Predicate> predicates = PredicatesOf(*reader, context);
  std::vector<gateway::KeyValues> keys = {{}};
  for (const model::Path& path : schema.partition_key_paths) {
    const std::vector<model::Value> values = ValuesAt(predicates, path);
    if (values.empty() || keys.size() * values.size() > kKeysMax) break;
    std::vector<gateway::KeyValues> longer;
    for (const gateway::KeyValues& key : keys) {
      for (const model::Value& value : values) {
        longer.push_back(key);
        longer.back().push_back(value);
      }
    }
    keys = std::move(longer);
  }
  const bool is_whole = keys.front().size() == schema.partition_key_paths.size();
  const bool may_be_prefix = schema.hashing == partition::KeyHashing::kMultiHash;
  if (keys.front().empty() || (!is_whole && !may_be_prefix)) return {};
  // No document has a key that is too long: what is left may be nothing, which no plan can say.
  std::erase_if(keys, [&](const gateway::KeyValues& key) { return !CanBeKey(key, schema); });
  return keys;
}

bool OrdersUndefined(const ast::Query& query, const item::ContainerSchema& schema,
                     const PredicateContext& context) {
  if (ReaderOf(query) != &query) return false;
  const auto order = WantedOrderOf(query, context);
  return order.has_value() && order->places.size() == 1 &&
         order->places.front().IsIndexedWhenAbsent(schema);
}

}  // namespace orrery::sql
