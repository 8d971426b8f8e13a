// Expressions over one document, with SQL's undefined.
//
// An Expression is an immutable tree, cheap to copy and safe to share between threads. Each API has
// its own parser that builds one; the admin interface and patch conditions carry them as JSON
// (expression_json.h).
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
#include "model/value.h"

namespace orrery::model {

inline constexpr int kExpressionDepthMax = 64;

enum class Operator : uint8_t {
  kLiteral,
  kPath,
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
  kIn,           // a IN (b, c, ...)
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
};

// What an operator is called in JSON ("=", "and", "starts_with") and how many operands it takes.
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
  // kInvalidArgument on a wrong number of operands or beyond kExpressionDepthMax.
  static Result<Expression> Apply(Operator op, std::vector<Expression> operands);
  static Result<Expression> Object(std::vector<std::pair<std::string, Expression>> fields);

  Operator op() const { return node_->op; }
  int depth() const { return node_->depth; }
  std::span<const Expression> operands() const { return node_->operands; }
  const Value& literal() const { return node_->literal; }  // of kLiteral
  const Path& path() const { return node_->path; }         // of kPath
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
