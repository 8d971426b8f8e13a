// A PredicateChooser ranks the predicates of a query by how few documents they are likely to leave,
// and finds the index that serves the best of them.
//
// For the choice of one access path, on one thread. What it is given must outlive it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "query/access/composite_path.h"
#include "query/access/index_path.h"
#include "query/predicate/conditions.h"

namespace orrery::query {

// The estimated selectivity of a predicate.
enum class Selectivity : uint8_t { kNone, kOneBound, kTwoBounds, kFewValues, kOneValue };

Selectivity SelectivityOf(const Predicate& predicate);

class PredicateChooser {
 public:
  // `known_paths`: of the part of the partition key that is known. `predicates` are those to choose
  // by: all of the conditions, or of one disjunct.
  PredicateChooser(const item::ContainerSchema& schema, std::span<const model::Path> known_paths,
                   std::vector<Predicate> predicates, const Conditions& conditions)
      : schema_(schema),
        known_paths_(known_paths),
        predicates_(std::move(predicates)),
        conditions_(conditions),
        rules_(conditions.rules) {}

  // The index and the ranges that find the documents of a predicate.
  struct Choice {
    IndexPath index;
    Selectivity selectivity;
  };
  // Returns nullopt if no predicate that an automatic index serves is at least as selective. Under
  // kMongo none does: the elements of an array are in another one.
  std::optional<Choice> Best(Selectivity least);

  // Returns all that the predicates say of a path.
  std::vector<ValueRange> RangesAt(const DocumentPath& path);

  // Returns the named index of values that says most, if one says more than the automatic indexes:
  // equal values first, then the order. Within one logical partition (`is_narrow`) only if
  // it finds no others, or if it is all there is to give the order.
  std::optional<CompositePath> BestComposite(const std::optional<WantedOrder>& order,
                                             bool is_narrow, bool finds_few);

 private:
  // Returns the predicates of paths that hold one value, one for each path.
  std::vector<Predicate> OnePerPath();
  bool HasKey(const CompositePath& path) const;
  // Of a key that is known: every document found has that value.
  bool IsOfKey(const DocumentPath& path) const;
  void Narrow(Predicate& predicate) const;

  const item::ContainerSchema& schema_;
  const std::span<const model::Path> known_paths_;
  std::vector<Predicate> predicates_;
  const Conditions& conditions_;
  const MatchRules rules_;
};

}  // namespace orrery::query
