// A PredicateBuilder makes predicates of comparisons with constants, under one order of values and
// one set of MatchRules.
//
// Every function returns nothing (no predicate) rather than one that could leave out a document: a
// condition that has no predicate is left to the filter. Comparisons are among values of one type:
// what is below 5 is a number.
//
// Under kMongo paths have fields only. A field that is a number may also be the index of an array's
// element, which indexes do not tell apart: no predicate. REQUIRES there: no document has an array
// at a path of its partition key or row key, which the API refuses, as MongoDB does; so an equal
// value names the logical partition.
//
// Pure; the builder is a value.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/compare.h"
#include "model/value.h"
#include "query/predicate/comparison.h"
#include "query/predicate/predicate.h"

namespace orrery::query {

// Values of one list that are looked up in an index; longer lists are left to the filter.
inline constexpr size_t kListedValuesMax = 1'000;

class PredicateBuilder {
 public:
  explicit PredicateBuilder(model::Order order, MatchRules rules = MatchRules::kSql)
      : order_(order), rules_(rules) {}

  std::optional<Predicate> Equal(const DocumentPath& path, const model::Value& value) const;
  std::optional<Predicate> Compare(const DocumentPath& path, Comparison comparison,
                                   const model::Value& value) const;
  // Both ends included. Nothing for ends of different types.
  std::optional<Predicate> Between(const DocumentPath& path, const model::Value& low,
                                   const model::Value& high) const;
  std::optional<Predicate> AnyOf(const DocumentPath& path, std::vector<model::Value> values) const;
  // Strings that begin with `prefix`.
  std::optional<Predicate> Prefix(const DocumentPath& path, const std::string& prefix) const;
  // Scalars of the type that `example` has.
  std::optional<Predicate> TypeOf(const DocumentPath& path, const model::Value& example) const;
  // Arrays, or objects. Nothing under kMongo.
  std::optional<Predicate> NestedTypeOf(const DocumentPath& path, model::Kind kind) const;
  // That nothing is there. REQUIRES: path.IsIndexedWhenAbsent().
  std::optional<Predicate> Absent(const DocumentPath& path) const;
  // That something is there, as disjuncts: a scalar, or an array or object. None under kMongo.
  std::vector<std::vector<Predicate>> Present(const DocumentPath& path) const;

  // All values of the type that `example` has.
  ValueRange RangeOfType(const model::Value& example) const;

 private:
  std::string Encode(const model::Value& value) const;
  std::optional<Predicate> Ranged(const DocumentPath& path, ValueRange range) const;
  // Returns whether indexes have all values of the path.
  bool IsKnown(const DocumentPath& path) const;
  // Returns whether indexes have such values: under kSql they have scalars.
  bool IsIndexed(const model::Value& value) const;
  // The values in an index of a document with a value that is equal to this one.
  std::vector<ValueRange> RangesOfEqual(const model::Value& value) const;

  const model::Order order_;
  const MatchRules rules_;
};

}  // namespace orrery::query
