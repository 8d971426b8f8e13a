// token(k) > 10 AND token(k) <= token(?): a part of the ring.
//
// The lowest token stands for both ends of the ring, as in Cassandra: "token(k) <= -2^63" is no
// bound at all, which is how clients ask for the last of many ranges.
//
// Immutable after planning.
#pragma once

#include <cstdint>
#include <optional>

#include "api/cassandra/planner/term/term_planner.h"
#include "api/cassandra/schema/table.h"

namespace orrery::cassandra {

struct TokenBound {
  ExpressionPtr token;  // a bigint
  bool inclusive = false;
};

// The tokens `first` to `last`, both included; with first > last none.
struct TokenSpan {
  int64_t first = INT64_MIN;
  int64_t last = INT64_MAX;

  bool empty() const { return first > last; }
  bool Contains(int64_t token) const { return first <= token && token <= last; }
};

struct TokenRestriction {
  std::optional<TokenBound> lower;
  std::optional<TokenBound> upper;
  bool is_equal = false;  // both bounds are one: `lower`

  CqlResult<TokenSpan> Bind(const Evaluation& evaluation) const;
  // Returns whether a partition key that was given on its own is within it. Bounds the wrong way
  // round mean what is outside, here only.
  CqlResult<bool> Accepts(const Evaluation& evaluation, int64_t token) const;
};

// Of one relation. REQUIRES: its left is TokenOfColumns.
CqlResult<TokenRestriction> PlanToken(const Table& table, const ast::Relation& relation,
                                      TermPlanner& terms);
CqlResult<TokenRestriction> Merge(const Table& table, TokenRestriction first,
                                  TokenRestriction second);

}  // namespace orrery::cassandra
