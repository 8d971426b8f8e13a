// INSERT, UPDATE, DELETE, BATCH, TRUNCATE and USE.
#pragma once

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "api/cassandra/parser/ast/restriction.h"
#include "api/cassandra/parser/ast/term.h"

namespace orrery::cassandra::ast {

// USING TIMESTAMP t AND TTL s: integers or markers. Of several the last one counts.
struct UsingClause {
  std::optional<Term> timestamp;
  std::optional<Term> ttl;
};

struct Insert {
  QualifiedName table;
  std::vector<Name> columns;
  std::vector<Term> values;  // perhaps not as many
  bool if_not_exists = false;
  UsingClause attributes;
};

struct InsertJson {
  QualifiedName table;
  Term json;                   // a string or a marker
  bool default_unset = false;  // columns that the JSON does not name stay as they are
  bool if_not_exists = false;
  UsingClause attributes;
};

// A part of a column: nothing (all of it), one element, or one field.
using ColumnPart = std::variant<std::monostate, Term, Name>;

enum class AssignmentKind : uint8_t {
  kSet,       // c = v, c[k] = v, c.f = v
  kAdd,       // c = c + v, c += v
  kSubtract,  // c = c - v, c -= v
  kPrepend,   // c = v + c
};

struct Assignment {
  Name column;
  ColumnPart part;  // all of it unless the kind is kSet
  AssignmentKind kind = AssignmentKind::kSet;
  Term value;
};

// One comparison of an IF clause; Relation says what `right` may be.
struct Condition {
  Name column;
  ColumnPart part;
  RelationOperator op = RelationOperator::kEqual;
  Relation::Right right;
};

// IF EXISTS or IF a = 1 AND b > 2: never both.
struct IfClause {
  bool exists = false;
  std::vector<Condition> conditions;
};

struct Update {
  QualifiedName table;
  UsingClause attributes;
  std::vector<Assignment> assignments;
  WhereClause where;
  IfClause conditions;
};

struct Deletion {
  Name column;
  ColumnPart part;
};

struct Delete {
  QualifiedName table;
  std::vector<Deletion> deletions;  // none for whole rows
  UsingClause attributes;           // a timestamp only
  WhereClause where;
  IfClause conditions;
};

enum class BatchKind : uint8_t { kLogged, kUnlogged, kCounter };

struct Batch {
  using Part = std::variant<Insert, InsertJson, Update, Delete>;

  BatchKind kind = BatchKind::kLogged;
  UsingClause attributes;
  std::vector<Part> statements;
};

struct Truncate {
  QualifiedName table;
};

struct Use {
  Name keyspace;
};

}  // namespace orrery::cassandra::ast
