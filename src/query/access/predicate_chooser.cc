#include "query/access/predicate_chooser.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace orrery::query {

Selectivity SelectivityOf(const Predicate& predicate) {
  // Of that type, or there at all, may be most documents.
  if (predicate.is_presence) return Selectivity::kOneBound;
  if (predicate.equal.has_value()) return Selectivity::kOneValue;
  if (predicate.ranges.size() > 1) return Selectivity::kFewValues;
  const ValueRange& range = predicate.ranges.front();
  if (range.is_one_value()) return Selectivity::kOneValue;
  const auto is_value = [](const std::optional<item::ValueBound>& bound) {
    return bound.has_value() && bound->encoded.size() > 1;  // not merely a type
  };
  const int bounds = (is_value(range.lower) ? 1 : 0) + (is_value(range.upper) ? 1 : 0);
  return static_cast<Selectivity>(bounds);
}

std::optional<PredicateChooser::Choice> PredicateChooser::Best(Selectivity least) {
  std::optional<Choice> best;
  if (rules_ == MatchRules::kMongo) return best;
  for (Predicate& predicate : predicates_) {
    if (IsOfKey(predicate.path)) continue;
    const auto index = predicate.path.IndexOf(schema_);
    if (!index.has_value()) continue;
    Narrow(predicate);
    const Selectivity selectivity = SelectivityOf(predicate);
    if (selectivity < least || (best.has_value() && selectivity <= best->selectivity)) continue;
    best = Choice{.index = {.paths = {predicate.path}, .index = *index, .ranges = predicate.ranges},
                  .selectivity = selectivity};
  }
  return best;
}

std::vector<ValueRange> PredicateChooser::RangesAt(const DocumentPath& path) {
  for (Predicate& predicate : predicates_) {
    if (predicate.path != path) continue;
    Narrow(predicate);
    return predicate.ranges;
  }
  return {ValueRange()};
}

std::optional<CompositePath> PredicateChooser::BestComposite(
    const std::optional<WantedOrder>& order, bool is_narrow, bool finds_few) {
  std::optional<CompositePath> best;
  auto best_score = std::make_tuple(size_t{0}, false, false);
  // What all documents meet, and of a disjunct what those of it do.
  std::vector<Predicate> all = conditions_.all;
  all.insert(all.end(), predicates_.begin(), predicates_.end());
  for (CompositePath& path : CompositePathsOf(
           schema_, OnePerPath(), order.has_value() ? &*order : nullptr, conditions_, all)) {
    // The one that must be read.
    if (conditions_.hint.has_value()) return std::move(path);
    const size_t found = static_cast<size_t>(std::ranges::count_if(
        path.equal, [&](const DocumentPath& equal) { return !IsOfKey(equal); }));
    // One path alone is an automatic index's, where there are such.
    const bool is_alone = rules_ == MatchRules::kMongo;
    const bool finds = is_alone ? found >= 1 || path.is_bounded
                                : found + (path.is_bounded ? 1 : 0) >= 2 && found >= 1;
    const bool orders = path.is_ordered &&
                        (is_alone || order->paths.size() > 1 || !path.equal.empty()) &&
                        (found >= 1 || !finds_few);
    if (!finds && !orders) continue;
    const bool finds_others = !HasKey(path) && !path.index.has_single_values();
    if (is_narrow && finds_others && (found > 0 || !orders)) continue;
    const auto score = std::make_tuple(found, orders, path.is_bounded);
    if (best.has_value() && score <= best_score) continue;
    best = std::move(path);
    best_score = score;
  }
  return best;
}

std::vector<Predicate> PredicateChooser::OnePerPath() {
  std::vector<Predicate> known;
  for (Predicate& predicate : predicates_) {
    if (predicate.path.has_elements() || predicate.path.of_types) continue;
    Narrow(predicate);
    const auto other = std::ranges::find(known, predicate.path, &Predicate::path);
    if (other == known.end()) {
      known.push_back(predicate);
    } else if (SelectivityOf(predicate) > SelectivityOf(*other)) {
      *other = predicate;
    }
  }
  return known;
}

bool PredicateChooser::HasKey(const CompositePath& path) const {
  return std::ranges::all_of(schema_.partition_key_paths, [&](const model::Path& key) {
    return std::ranges::any_of(path.equal,
                               [&](const DocumentPath& equal) { return equal.IsAt(key.steps()); });
  });
}

bool PredicateChooser::IsOfKey(const DocumentPath& path) const {
  return std::ranges::any_of(known_paths_,
                             [&](const model::Path& known) { return path.IsAt(known.steps()); });
}

void PredicateChooser::Narrow(Predicate& predicate) const {
  for (const Predicate& other : predicates_)
    if (auto both = Intersect(other, predicate)) predicate = *std::move(both);
}

}  // namespace orrery::query
