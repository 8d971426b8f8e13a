#include "query/access/access_path.h"

#include <algorithm>
#include <span>
#include <utility>

#include "model/key/key_codec.h"
#include "query/access/partition_keys.h"
#include "query/access/predicate_chooser.h"
#include "query/access/spatial_path.h"
#include "query/access/term_path.h"

namespace orrery::query {
namespace {

// The number of indexes that are read for one disjunction.
constexpr size_t kDisjunctsMax = 64;
// The ranges of row keys that are read one after the other.
constexpr size_t kRowKeyRangesMax = 1'000;

ValueRange RangeOf(const model::Value& value, model::Order order) {
  const item::ValueBound bound{model::EncodeKey({&value, 1}, order), true};
  return {bound, bound};
}

// That documents have the key's values.
void AddKey(std::span<const model::Path> paths, const gateway::KeyValues& key, model::Order order,
            MatchRules rules, std::vector<Predicate>& predicates) {
  for (size_t i = 0; i < paths.size(); ++i) {
    if (key[i].is_undefined()) continue;
    predicates.push_back({.path = DocumentPath::At(paths[i]),
                          .ranges = {RangeOf(key[i], order)},
                          .equal = key[i],
                          .rules = rules});
  }
}

// Chooses for one query. What it is given must outlive it.
class AccessChooser {
 public:
  // `key`: what is known of the partition key.
  AccessChooser(const Conditions& conditions, const item::ContainerSchema& schema,
                const std::optional<gateway::KeyValues>& key)
      : conditions_(conditions),
        schema_(schema),
        key_(key),
        known_paths_(
            std::span(schema.partition_key_paths).first(key.has_value() ? key->size() : 0)),
        is_narrow_(IsWholeKey(key, schema)),
        is_mongo_(conditions.rules == MatchRules::kMongo) {}

  // The one document that has the row key that the conditions name.
  std::optional<model::Value> RowKey() const {
    if (!is_narrow_ && !schema_.partition_key_paths.empty()) return std::nullopt;
    std::optional<model::Value> row_key;
    for (const Predicate& predicate : conditions_.all) {
      if (predicate.equal.has_value() && predicate.path.IsAt(schema_.row_key_path.steps()))
        row_key = predicate.equal;
    }
    return row_key;
  }

  // The row keys that the conditions allow; none: all.
  std::vector<ValueRange> RowKeys() const {
    if (!is_mongo_ || (!is_narrow_ && !schema_.partition_key_paths.empty())) return {};
    ValueRange span;
    const std::vector<ValueRange>* most = nullptr;
    for (const Predicate& predicate : conditions_.all) {
      if (predicate.ranges.empty() || !predicate.path.IsAt(schema_.row_key_path.steps())) continue;
      const auto& lower = predicate.ranges.front().lower;
      const auto& upper = predicate.ranges.back().upper;
      if (lower.has_value() && (!span.lower.has_value() || lower->encoded > span.lower->encoded))
        span.lower = lower;
      if (upper.has_value() && (!span.upper.has_value() || upper->encoded < span.upper->encoded))
        span.upper = upper;
      if (most == nullptr || predicate.ranges.size() > most->size()) most = &predicate.ranges;
    }
    // Each of a list of keys is looked up by itself.
    if (most != nullptr && most->size() > 1 && most->size() <= kRowKeyRangesMax) return *most;
    if (!span.lower.has_value() && !span.upper.has_value()) return {};
    return {std::move(span)};
  }

  // By an index that finds fewer than all documents, or gives the order.
  void ChooseIndex(AccessPath& path) const {
    if (conditions_.search.has_value()) {
      path.index = SearchPathOf(*conditions_.search, schema_);
      if (path.index.has_value()) return;
    }
    std::vector<Predicate> predicates = conditions_.all;
    if (key_.has_value()) AddKey(known_paths_, *key_, schema_.order, conditions_.rules, predicates);
    PredicateChooser chooser(schema_, known_paths_, std::move(predicates), conditions_);
    // Within one logical partition single values are found without passing those of others.
    auto best = chooser.Best(is_narrow_ ? Selectivity::kTwoBounds : Selectivity::kOneBound);
    auto terms = TermPathOf(conditions_.terms, schema_);
    const bool has_few = best.has_value() && best->selectivity >= Selectivity::kFewValues;
    std::optional<IndexPath> cells;
    if (!is_narrow_ && !has_few) cells = SpatialPathOf(conditions_.shapes, schema_);
    const bool finds_few = has_few || terms.has_value() || cells.has_value();
    const auto& order = conditions_.order;
    if (auto composite = chooser.BestComposite(order, is_narrow_, finds_few)) {
      path.is_ordered = composite->is_ordered;
      path.index = std::move(composite->index);
      return;
    }
    if (terms.has_value() && (!best.has_value() || best->selectivity < Selectivity::kOneValue)) {
      path.index = *std::move(terms);
      return;
    }
    if (cells.has_value()) {
      path.index = *std::move(cells);
      return;
    }
    if (order.has_value() && order->paths.size() == 1 && !finds_few && !is_mongo_) {
      const DocumentPath& by = order->paths.front();
      if (auto index = AutomaticIndexAt(by, chooser.RangesAt(by), schema_)) {
        index->descending = order->descending.front();
        path.index = *std::move(index);
        path.is_ordered = true;
        return;
      }
    }
    if (best.has_value()) path.index = std::move(best->index);
  }

  // By the nearest neighbours, if that is the order and a vector index gives it.
  void ChooseNearest(AccessPath& path) const {
    // A range of values may be nearly all documents: they are sooner met by distance.
    const bool finds_few =
        path.index.has_value() && (path.index->is_named || path.index->has_single_values());
    path.nearest = NearestPathOf(
        *conditions_.nearest,
        finds_few ? path.index->IndexRanges() : std::vector<item::IndexRange>(), schema_);
    if (!path.nearest.has_value()) return;
    if (!finds_few) path.unranked = std::exchange(path.index, std::nullopt);
    path.is_ordered = true;
  }

  // Uses the entries of the path's index instead of documents, as far as they suffice.
  void UseEntries(AccessPath& path) const {
    if (!path.index.has_value() || path.index->is_named || !conditions_.reads.has_value() ||
        is_mongo_)
      return;
    auto scan = IndexOnlyScanOf(*conditions_.reads, path.index->paths.front(), schema_);
    if (!scan.has_value() || !(scan->is_covering || HasResidual(scan->path))) return;
    if (scan->is_one_entry) path.index->descending = scan->descending;
    path.index_only = std::move(scan);
  }

  // Returns an index for each of the disjuncts of one condition; none if one of them has none.
  std::vector<IndexPath> IndexUnion() const {
    const Selectivity least = is_narrow_ ? Selectivity::kFewValues : Selectivity::kOneBound;
    for (const Disjuncts& disjuncts : conditions_.disjunctions) {
      if (disjuncts.size() > kDisjunctsMax) continue;
      std::vector<IndexPath> indexes;
      for (const std::vector<Predicate>& predicates : disjuncts) {
        auto index = IndexOf(predicates, least);
        if (!index.has_value()) break;
        indexes.push_back(*std::move(index));
      }
      if (indexes.size() == disjuncts.size()) return indexes;
    }
    return {};
  }

  // By an index that finds no fewer documents, but whose entries may spare a look at them.
  void ChooseEntries(AccessPath& path) const {
    if (is_mongo_) return;
    if (key_.has_value() && !key_->empty()) {
      // Of an index of other values those of other keys would all be passed; the entries of the
      // key's first value at its own path are in ring order, where the key's are together.
      if (key_->front().is_undefined()) return;
      TryCovering(DocumentPath::At(schema_.partition_key_paths.front()),
                  {RangeOf(key_->front(), schema_.order)}, path);
      return;
    }
    for (const ResidualPredicate& residual : conditions_.residuals) {
      if (!residual.is_selective) continue;
      path.index = AutomaticIndexAt(residual.path, {residual.range}, schema_);
      UseEntries(path);
      if (path.index_only.has_value()) return;
      path.index.reset();
    }
    for (const ResidualPredicate& residual : conditions_.residuals)
      if (TryCovering(residual.path, {residual.range}, path)) return;
    for (const Predicate& predicate : conditions_.all)
      if (TryCovering(predicate.path, predicate.ranges, path)) return;
    // Every document has a row key.
    TryCovering(DocumentPath::At(schema_.row_key_path), {ValueRange()}, path);
  }

 private:
  // The index for all of the predicates.
  std::optional<IndexPath> IndexOf(const std::vector<Predicate>& predicates,
                                   Selectivity least) const {
    PredicateChooser chooser(schema_, known_paths_, predicates, conditions_);
    if (auto best = chooser.Best(least)) return std::move(best->index);
    if (!is_mongo_) return std::nullopt;
    auto named = chooser.BestComposite(std::nullopt, is_narrow_, /*finds_few=*/false);
    if (!named.has_value()) return std::nullopt;
    return std::move(named->index);
  }

  bool HasResidual(const DocumentPath& at) const {
    return std::ranges::any_of(conditions_.residuals, [&](const ResidualPredicate& residual) {
      return residual.is_selective && residual.path == at;
    });
  }

  bool TryCovering(const DocumentPath& at, std::vector<ValueRange> ranges, AccessPath& path) const {
    if (at.has_elements()) return false;
    auto index = AutomaticIndexAt(at, std::move(ranges), schema_);
    if (!index.has_value()) return false;
    path.index = std::move(index);
    UseEntries(path);
    if (path.index_only.has_value() && path.index_only->is_covering) return true;
    path.index.reset();
    path.index_only.reset();
    return false;
  }

  const Conditions& conditions_;
  const item::ContainerSchema& schema_;
  const std::optional<gateway::KeyValues>& key_;
  const std::span<const model::Path> known_paths_;
  const bool is_narrow_;  // within one logical partition
  const bool is_mongo_;   // documents may have several values at a path
};

}  // namespace

AccessPath ChooseAccessPath(const Conditions& conditions, const item::ContainerSchema& schema,
                            const std::optional<gateway::KeyValues>& partition_key) {
  AccessPath path;
  // Under a collation equal strings may differ, and predicates have not the values of keys.
  const bool has_keys = !conditions.collation.has_value();
  if (!partition_key.has_value() && has_keys)
    path.partition_key = PartitionKeyOf(conditions.all, schema);
  const auto key = partition_key.has_value() ? partition_key : path.partition_key;
  const AccessChooser chooser(conditions, schema, key);
  if (has_keys && !conditions.hint.has_value()) path.row_key = chooser.RowKey();
  if (path.row_key.has_value()) {
    if (!key.has_value()) path.partition_key.emplace();
    return path;
  }
  chooser.ChooseIndex(path);
  if (conditions.nearest.has_value()) {
    chooser.ChooseNearest(path);
    return path;
  }
  if (path.index.has_value()) {
    chooser.UseEntries(path);
    return path;
  }
  path.index_union = chooser.IndexUnion();
  if (path.index_union.empty()) chooser.ChooseEntries(path);
  if (path.index_union.empty() && !path.index.has_value()) {
    path.row_keys = chooser.RowKeys();
    if (!path.row_keys.empty() && !key.has_value()) path.partition_key.emplace();
  }
  return path;
}

bool OrdersUndefined(const std::optional<WantedOrder>& order, const item::ContainerSchema& schema) {
  return order.has_value() && order->paths.size() == 1 &&
         order->paths.front().IsIndexedWhenAbsent(schema);
}

}  // namespace orrery::query
