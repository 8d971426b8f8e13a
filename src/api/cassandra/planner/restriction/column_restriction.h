// A ColumnRestriction is what a WHERE clause says of one column, or of several clustering columns
// as a tuple: all its relations on them, merged.
//
// Immutable after planning. Columns belong to the table, which must outlive it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "api/cassandra/planner/term/expression.h"
#include "api/cassandra/schema/sasi_index.h"
#include "api/cassandra/schema/table.h"

namespace orrery::cassandra {

// The value that a column or a tuple of columns is compared with. A tuple written out has a term
// for each column; a marker for all of it is one term of a tuple type.
struct ComparedValue {
  std::vector<ExpressionPtr> components;
  bool is_whole_tuple = false;  // components[0] is the tuple

  // One value for each column that it speaks of, perhaps the first few only of the restriction's.
  // Null and unset stay so; of a tuple that is null all are.
  CqlResult<std::vector<TermValue>> Evaluate(const Evaluation& evaluation) const;
};

struct SliceBound {
  ComparedValue value;
  bool inclusive = false;
};

// CONTAINS value, CONTAINS KEY key, column[key] = value.
struct ContainsTest {
  ExpressionPtr key;
  ExpressionPtr value;
};

struct ColumnRestriction {
  enum class Kind : uint8_t { kEqual, kIn, kSlice, kContains, kLike };

  std::vector<const Column*> columns;  // several, or is_tuple: successive clustering columns
  bool is_tuple = false;
  Kind kind = Kind::kEqual;
  ComparedValue equal;              // kEqual
  std::vector<ComparedValue> in;    // kIn, unless in_marker
  ExpressionPtr in_marker;          // kIn: a list of values or of tuples
  std::optional<SliceBound> lower;  // kSlice: one of them or both
  std::optional<SliceBound> upper;
  std::vector<ContainsTest> contains;  // kContains: at least one
  ExpressionPtr like;                  // kLike: the pattern
  // kLike, and kEqual where an index says that other values are equal, too: how to compare.
  std::optional<SasiIndex> sasi;

  const Column& first() const { return *columns.front(); }
  const Column& last() const { return *columns.back(); }
  bool is_equal() const { return kind == Kind::kEqual; }
  bool is_in() const { return kind == Kind::kIn; }
  bool is_slice() const { return kind == Kind::kSlice; }
  bool is_contains() const { return kind == Kind::kContains; }
  bool is_like() const { return kind == Kind::kLike; }

  // The value of kEqual, or those of kIn in the order given, each with one for each column. Refuses
  // null and unset.
  CqlResult<std::vector<std::vector<std::string>>> EvaluateEach(const Evaluation& evaluation) const;
  // The values of a bound. Refuses null and unset.
  CqlResult<std::vector<std::string>> EvaluateBound(const SliceBound& bound,
                                                    const Evaluation& evaluation) const;
};

// A LikePattern is the pattern of LIKE without its '%'.
struct LikePattern {
  LikeKind kind = LikeKind::kMatches;
  std::string text;
};
// Refuses null and unset values, empty patterns, and what the restriction's index does not support.
CqlResult<LikePattern> BindLike(const ColumnRestriction& restriction, const Evaluation& evaluation);

// Both at once, about columns in common; refused with Cassandra's message where that makes no sense
// ("a cannot be restricted by more than one relation if it includes an Equal").
CqlResult<ColumnRestriction> Merge(ColumnRestriction first, ColumnRestriction second);

}  // namespace orrery::cassandra
