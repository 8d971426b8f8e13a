// An Expression is a scalar expression: one value per input.
//
// Parentheses are not kept; the shape of the tree says what they said. "<>" is "!=". AND and OR
// have all the operands of a chain in one node, since generated queries have thousands of them;
// other chains lean to the left.
//
// Movable, not copyable. What the parser returns is at most ParserLimits::depth_max deep.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "api/sql/parser/ast/literal.h"
#include "api/sql/parser/ast/name.h"
#include "api/sql/parser/ast/operator.h"
#include "api/sql/parser/ast/source_range.h"

namespace orrery::sql::ast {

struct Expression;
struct ObjectProperty;  // the last of this file
struct Query;           // query.h
using ExpressionPtr = std::unique_ptr<Expression>;

// Lets an expression own a query that this header knows by name only. MakeQueryPtr (query.h) makes
// one.
struct QueryDeleter {
  void operator()(Query* query) const;
};
using QueryPtr = std::unique_ptr<Query, QueryDeleter>;

// @name; the name has its "@", as in a request's list of parameters.
struct Parameter {
  std::string name;
};

// An alias of FROM or JOIN, or the container itself.
struct Identifier {
  std::string name;
};

// {documentdb-...}: a place in a rewritten query that a client fills in before it sends the query
// back. `name` is without the braces.
struct Placeholder {
  std::string name;
};

// object.name and object["name"]
struct PropertyAccess {
  ExpressionPtr object;
  std::string name;
};

// object[index], with anything but a string literal in the brackets
struct IndexAccess {
  ExpressionPtr object;
  ExpressionPtr index;
};

struct ArrayConstructor {
  std::vector<Expression> elements;
};

// In the order of the text; names may repeat.
struct ObjectConstructor {
  std::vector<ObjectProperty> properties;
};

// f(..), or udf.f(..). Aggregates are calls too.
struct FunctionCall {
  Name function;
  bool is_user_defined = false;
  std::vector<Expression> arguments;
};

struct Unary {
  UnaryOperator op = UnaryOperator::kNot;
  ExpressionPtr operand;
};

struct Binary {
  BinaryOperator op = BinaryOperator::kEqual;
  ExpressionPtr left;
  ExpressionPtr right;
};

// Two operands or more.
struct Logical {
  LogicalOperator op = LogicalOperator::kAnd;
  std::vector<Expression> operands;
};

// condition ? yes : no
struct Conditional {
  ExpressionPtr condition;
  ExpressionPtr yes;
  ExpressionPtr no;
};

// value [NOT] IN (candidates); at least one.
struct In {
  bool negated = false;
  ExpressionPtr value;
  std::vector<Expression> candidates;
};

// value [NOT] BETWEEN low AND high
struct Between {
  bool negated = false;
  ExpressionPtr value;
  ExpressionPtr low;
  ExpressionPtr high;
};

// value [NOT] LIKE pattern [ESCAPE 'escape']
struct Like {
  bool negated = false;
  ExpressionPtr value;
  ExpressionPtr pattern;
  std::optional<std::string> escape;
};

enum class SubqueryKind : uint8_t { kScalar, kExists, kArray, kAll, kFirst, kLast };

// (SELECT ..), EXISTS(SELECT ..), ARRAY(SELECT ..) and so on.
struct Subquery {
  SubqueryKind kind = SubqueryKind::kScalar;
  QueryPtr query;
};

struct Expression {
  using Node =
      std::variant<Undefined, Null, Boolean, Number, String, Parameter, Identifier, Placeholder,
                   PropertyAccess, IndexAccess, ArrayConstructor, ObjectConstructor, FunctionCall,
                   Unary, Binary, Logical, Conditional, In, Between, Like, Subquery>;

  SourceRange range = {};  // with its parentheses' content only
  uint32_t depth = 1;      // nodes on the longest way down, this one included; kept by the grammar
  Node node;

  template <typename T>
  const T* As() const {
    return std::get_if<T>(&node);
  }
};

struct ObjectProperty {
  std::string name;
  Expression value;
};

}  // namespace orrery::sql::ast
