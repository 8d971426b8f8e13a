// An Expression is a condition on one document, or a value of it, as data: it can be sent to
// whoever has the document. Scans carry one to the owner of a partition (docs/dev/queries.md).
//
// It is an immutable tree, cheap to copy and safe to share between threads. Each API builds one of
// those of its conditions that fit, and evaluates the others itself; the admin interface and patch
// conditions carry them as JSON (expression_json.h). Evaluation decodes only what it compares.
//
// The operators have the rules of the SQL query language (model/sql), but for those that begin with
// kMongo, which have MongoDB's (model/match/mongo_match.h) and are true or false of anything; but
// for kMongoValue, which is a value.
//
// Undefined is neither true nor false: comparing values of different types gives it, arithmetic on
// anything but numbers gives it, and it spreads through every operator but these: AND is false when
// either side is false; OR is true when either side is true; ?? takes its right side for an
// undefined left; the is_ functions answer true or false of anything. An undefined field or element
// is left out of the object or array being made.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/status.h"
#include "model/document/document.h"
#include "model/path/path.h"
#include "model/sql/constant_set.h"
#include "model/value.h"

namespace orrery::model {

inline constexpr int kExpressionDepthMax = 64;
// Of one that comes from elsewhere: literals, references and operators.
inline constexpr size_t kExpressionNodesMax = 10'000;

// The numbers travel between nodes: never change one, add at the end.
enum class Operator : uint8_t {
  kLiteral,
  kPath,  // steps are fields of objects and indexes of arrays
  kEqual,
  kNotEqual,
  kLess,
  kLessOrEqual,
  kGreater,
  kGreaterOrEqual,
  kAnd,  // two or more operands, as has OR
  kOr,
  kNot,
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,
  kModulo,
  kNegate,
  kConcat,
  kCoalesce,     // a ?? b
  kConditional,  // a ? b : c; c unless a is exactly true
  kIn,           // a IN (b, c, ...): the = of each, joined by OR
  kBetween,      // a BETWEEN b AND c, both included
  kIsDefined,
  kIsNull,
  kIsNumber,
  kIsString,
  kIsBool,
  kIsArray,
  kIsObject,
  kStartsWith,
  kEndsWith,
  kContains,
  kArrayContains,  // (array, value)
  kArrayLength,
  kLength,  // of a string, in code points
  kLower,   // letter_case.h, as has upper
  kUpper,
  kAbs,
  kArray,
  kObject,
  kField,  // as kPath, but through objects only: SQL's c.a.b
  kIsPrimitive,
  kIsInteger,
  kIsFiniteNumber,
  kStartsWithAnyCase,  // both sides in lower case, as the next three
  kEndsWithAnyCase,
  kContainsAnyCase,
  kEqualsAnyCase,
  kArrayContainsPart,  // (array, value): an object's fields are a part of an element's
  // (path, literal): whether a value that the path leads to compares so with the literal.
  kMongoEqual,
  kMongoLess,
  kMongoLessOrEqual,
  kMongoGreater,
  kMongoGreaterOrEqual,
  kMongoIn,       // (path, literal...): is equal to one of them
  kMongoExists,   // (path): leads to a value
  kMongoType,     // (path, integer...): is of one of these types of BSON
  kMongoSize,     // (path, integer): is an array of so many elements
  kMongoElement,  // (path, condition): is an array of which an element meets the condition, whose
                  // paths begin at the element; the empty path is the element itself
  kMongoValue,    // (path): the value of an aggregation's "$a.b" (model/match/mongo_value.h)
};
inline constexpr Operator kOperatorLast = Operator::kMongoValue;

// The name of an operator in JSON ("=", "and", "starts_with") and the number of its operands.
struct OperatorInfo {
  Operator op;
  std::string_view name;
  size_t operands_min;
  size_t operands_max;
};

// All operators that Expression::Apply builds.
std::span<const OperatorInfo> Operators();

class Expression {
 public:
  static Expression Literal(Value value);
  static Expression Reference(Path path);
  static Expression Field(Path path);
  // kInvalidArgument on operands of a wrong number or kind, or beyond kExpressionDepthMax.
  static Result<Expression> Apply(Operator op, std::vector<Expression> operands);
  static Result<Expression> Object(std::vector<std::pair<std::string, Expression>> fields);

  Operator op() const { return node_->op; }
  int depth() const { return node_->depth; }
  std::span<const Expression> operands() const { return node_->operands; }
  const Value& literal() const { return node_->literal; }  // of kLiteral
  const Path& path() const { return node_->path; }         // of kPath, kField
  // The literals of a kIn that has many, and nothing but these; else null.
  const sql::ConstantSet* candidates() const { return node_->candidates.get(); }
  // The names of a kObject's operands, in their order.
  std::span<const std::string> names() const { return node_->names; }

 private:
  struct Node {
    Operator op = Operator::kLiteral;
    int depth = 1;
    Value literal;
    Path path;
    std::vector<Expression> operands;
    std::vector<std::string> names;
    std::shared_ptr<const sql::ConstantSet> candidates;  // points into operands
  };

  explicit Expression(std::shared_ptr<const Node> node) : node_(std::move(node)) {}
  static Result<Expression> Make(Node node);

  std::shared_ptr<const Node> node_;
};

// The value of `expression` on `document`; undefined when it has none.
Value Evaluate(const Expression& expression, DocumentView document);

// True only when the value is exactly true.
bool Matches(const Expression& expression, DocumentView document);

}  // namespace orrery::model
