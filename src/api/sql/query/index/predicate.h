// Predicates: conditions that a WHERE clause puts on one place of documents, as ranges of an index.
//
// Each is implied by the whole condition, so that a document outside of its ranges cannot be
// wanted; what is inside is still to be checked against the condition.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "api/sql/evaluate/parameters.h"
#include "api/sql/function/function_registry.h"
#include "api/sql/parser/ast/query.h"
#include "api/sql/query/computed/computed_properties.h"
#include "api/sql/query/index/place.h"
#include "gateway/requests.h"
#include "model/compare.h"
#include "model/value.h"

namespace orrery::sql {

// What an index keeps of an encoded value (item/index/index_terms.h); the rest is cut.
inline constexpr size_t kIndexedBytesMax = 256;

// Of encoded values (model/key/key_codec.h).
struct ValueRange {
  std::optional<item::ValueBound> lower;
  std::optional<item::ValueBound> upper;

  bool is_one_value() const;
  // Whether an index would answer it for the range. A bound that `encoded` begins with is equal to
  // it; so is one that `encoded` is the beginning of, as values in an index may be cut.
  bool Meets(std::string_view encoded) const;
};

struct Predicate {
  Place place;
  std::vector<ValueRange> ranges;         // rising and disjoint
  std::optional<model::Value> equal;      // what it must be equal to, when it is one value
  std::vector<model::Value> any_of = {};  // what it must be one of, when it is one of several
  bool is_presence = false;               // says only that something of some kind is there
};

// All must outlive the call only.
struct PredicateContext {
  std::string_view text;  // of the query
  const Parameters& parameters;
  const FunctionRegistry& functions;
  model::Order order;  // the container's
  const ComputedProperties& computed = kNoComputedProperties;

  const item::ContainerSchema* schema = nullptr;  // null: no index has computed properties

  // Whether the place is a computed property or within one.
  bool IsComputed(const Place& place) const;
  // Whether it is one that no index has: the policy does not name it, or documents are not in the
  // index yet as it is defined now.
  bool IsBeyondIndexes(const Place& place) const;
};

// The predicates of all conditions that the query's WHERE joins by AND.
std::vector<Predicate> PredicatesOf(const ast::Query& reader, const PredicateContext& context);

// For each of those conditions that joins others by OR: the predicates of each of the others. A
// document that is wanted meets all of one list at least. So it is with IS_DEFINED: what is there
// is a scalar, or an array or object.
std::vector<std::vector<std::vector<Predicate>>> AlternativesOf(const ast::Query& reader,
                                                                const PredicateContext& context);

// All values of both. Nothing when they are of different places, or of one with elements, where
// different elements may meet them.
std::optional<Predicate> Intersect(const Predicate& a, const Predicate& b);

}  // namespace orrery::sql
