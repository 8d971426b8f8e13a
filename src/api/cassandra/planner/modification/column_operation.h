// A ColumnOperation is what a statement does to one column: planned, and with its values.
//
// executor/write/row_builder.h makes cells of it; some kinds on lists must read the stored row
// first.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "api/cassandra/planner/term/expression.h"
#include "api/cassandra/schema/table.h"

namespace orrery::cassandra {

enum class OperationKind : uint8_t {
  kSet,            // the whole column; null removes what was there before
  kRemove,         // the whole column, and what is written to it at the same time
  kAppend,         // elements to a list's end, a set or a map
  kPrepend,        // elements to a list's front
  kDiscard,        // elements with these values of a list or set, these keys of a map
  kPutElement,     // of a list by index, of a map by key; null removes it
  kRemoveElement,  // of a list by index, of a map or set by key
  kPutField,       // of a user-defined type; null removes it
  kCount,          // adds to a counter
  kCountDown,
};

struct ColumnOperation {
  const Column* column = nullptr;
  OperationKind kind = OperationKind::kSet;
  ExpressionPtr key;    // kPutElement, kRemoveElement
  ExpressionPtr value;  // null: removes (kSet, kPutField)
  size_t field = 0;     // kPutField

  // Returns whether the new cells depend on the stored ones.
  bool reads() const;
};

struct BoundOperation {
  const ColumnOperation* operation = nullptr;
  TermValue key;
  TermValue value;
};

// Refuses what may not be null or unset. Operations whose value is unset do nothing: left out.
CqlResult<std::vector<BoundOperation>> BindOperations(
    const std::vector<ColumnOperation>& operations, const Evaluation& evaluation);

}  // namespace orrery::cassandra
