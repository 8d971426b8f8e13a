// A BoundQuery is a query whose names are resolved, ready to be executed: what query_binder.h makes
// of an ast::Query.
//
// The aliases, group keys and aggregates of a query and of all queries within it have slots of one
// numbering, so that a subquery sees the rows around it in their own places.
//
// Immutable once bound, so thread-safe.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "api/sql/evaluate/bound_expression.h"
#include "api/sql/function/aggregate/accumulator.h"
#include "api/sql/parser/ast/expression.h"

namespace orrery::sql {

struct BoundQuery;

// A source after FROM or JOIN: gives values for its slot, for each row of the sources before it.
struct BoundSource {
  enum class Kind : uint8_t {
    kDocuments,  // the container's; always the first source
    kValue,      // `value`
    kQuery,      // each row of `query`
  };
  Kind kind = Kind::kValue;
  BoundExpressionPtr value = nullptr;
  std::shared_ptr<const BoundQuery> query = nullptr;
  bool is_iterated = false;  // each element of arrays, instead of the values themselves
  uint32_t slot = 0;
};

struct BoundAggregate {
  Aggregate aggregate = Aggregate::kCount;
  BoundExpressionPtr argument;
  uint32_t slot = 0;
  const ast::Expression* tree = nullptr;  // of the argument; good while the query's tree lives
};

struct BoundGroupKey {
  BoundExpressionPtr value;
  uint32_t slot = 0;
};

struct BoundOrdering {
  BoundExpressionPtr value;
  bool descending = false;
};

// The parts of ORDER BY RANK (rank/ranking.h).
struct BoundRank {
  BoundExpressionPtr value;
  bool is_full_text = false;         // the value is FullTextHits, else a number
  std::vector<std::string> phrases;  // of a full-text score, as they are written
  bool descending = true;            // greater numbers come first
  double weight = 1;                 // among several
};

struct BoundQuery {
  std::vector<BoundSource> sources;  // none: one row without values
  BoundExpressionPtr where;          // null: all rows
  std::vector<BoundGroupKey> group_by;
  std::vector<BoundAggregate> aggregates;
  BoundExpressionPtr select;  // a row whose value is undefined is none
  std::vector<BoundOrdering> order_by;
  bool orders_undefined = false;  // by one value: rows where it is undefined have a place, too
  std::vector<BoundRank> rank;    // instead of order_by
  bool is_distinct = false;
  uint64_t offset = 0;
  std::optional<uint64_t> limit;  // the less of TOP and LIMIT
  uint32_t slot_count = 0;        // of a whole query, those of its subqueries included

  // Returns whether rows become groups: then all of them are needed for the first.
  bool is_grouped() const { return !group_by.empty() || !aggregates.empty(); }
};

}  // namespace orrery::sql
