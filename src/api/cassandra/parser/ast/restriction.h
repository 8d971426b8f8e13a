// The restrictions of a WHERE clause: relations between columns and terms, all of which must hold.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "api/cassandra/parser/ast/term.h"

namespace orrery::cassandra::ast {

enum class RelationOperator : uint8_t {
  kEqual,
  kNotEqual,
  kLess,
  kLessOrEqual,
  kGreater,
  kGreaterOrEqual,
  kIn,
  kContains,
  kContainsKey,
  kLike,
  kIsNotNull,
};

// "CONTAINS KEY".
std::string_view OperatorText(RelationOperator op);

// m[k]
struct MapEntry {
  Name column;
  Term key;
};

// (a, b)
struct ColumnTuple {
  std::vector<Name> columns;
};

// token(a, b)
struct TokenOfColumns {
  std::vector<Name> columns;
};

struct Relation {
  using Left = std::variant<Name, MapEntry, ColumnTuple, TokenOfColumns, FunctionCall>;
  // Nothing for IS NOT NULL; a list for IN (...); else the term, which is a marker for IN ?.
  using Right = std::variant<std::monostate, Term, std::vector<Term>>;

  TextPosition position;
  Left left;
  RelationOperator op = RelationOperator::kEqual;
  Right right;
};

// expr(index, 'what the index understands')
struct IndexExpression {
  Name index;
  Term value;
};

using Restriction = std::variant<Relation, IndexExpression>;
using WhereClause = std::vector<Restriction>;

}  // namespace orrery::cassandra::ast
