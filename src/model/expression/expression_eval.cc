// Evaluates expressions: conditions as truths, all others as operands, which are decoded only where
// an operator needs the whole value.
#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <string>

#include "model/expression/expression.h"
#include "model/expression/letter_case.h"
#include "model/expression/mongo_conditions.h"
#include "model/expression/operand.h"
#include "model/match/mongo_value.h"
#include "model/number/number.h"
#include "model/sql/comparison.h"
#include "model/text/find_text.h"

namespace orrery::model {
namespace {

using sql::JsonType;
using sql::Truth;

Truth Ordered(Operator op, const Operand& a, const Operand& b) {
  const auto order = OrderOf(a, b);
  if (!order.has_value()) return Truth::kUndefined;
  switch (op) {
    case Operator::kLess:
      return sql::TruthOf(*order < 0);
    case Operator::kLessOrEqual:
      return sql::TruthOf(*order <= 0);
    case Operator::kGreater:
      return sql::TruthOf(*order > 0);
    default:
      return sql::TruthOf(*order >= 0);
  }
}

bool IsIntegral(const Operand& operand) {
  if (operand.type() != JsonType::kNumber) return false;
  if (operand.kind() >= Kind::kInt8 && operand.kind() <= Kind::kInt64) return true;
  const double number = operand.AsNumber();
  return number == std::trunc(number) && number >= -0x1p63 && number < 0x1p63;
}

bool IsOfType(Operator op, const Operand& operand) {
  switch (op) {
    case Operator::kIsDefined:
      return !operand.is_undefined();
    case Operator::kIsNull:
      return operand.type() == JsonType::kNull;
    case Operator::kIsNumber:
      return operand.type() == JsonType::kNumber;
    case Operator::kIsString:
      return operand.type() == JsonType::kString;
    case Operator::kIsBool:
      return operand.type() == JsonType::kBool;
    case Operator::kIsArray:
      return operand.type() == JsonType::kArray;
    case Operator::kIsObject:
      return operand.type() == JsonType::kObject;
    case Operator::kIsPrimitive:
      return sql::IsPrimitive(operand.type());
    case Operator::kIsInteger:
      return IsIntegral(operand);
    default:
      return operand.type() == JsonType::kNumber && std::isfinite(operand.AsNumber());
  }
}

bool IsIn(std::string_view text, std::string_view part) {
  return FindText(text, part) != std::string_view::npos;
}

Truth TextTest(Operator op, const Operand& text, const Operand& part) {
  if (text.type() != JsonType::kString || part.type() != JsonType::kString)
    return Truth::kUndefined;
  const auto in_any_case = [&](auto test) {
    return sql::TruthOf(test(ToLowerCase(text.AsText()), ToLowerCase(part.AsText())));
  };
  switch (op) {
    case Operator::kStartsWith:
      return sql::TruthOf(text.AsText().starts_with(part.AsText()));
    case Operator::kEndsWith:
      return sql::TruthOf(text.AsText().ends_with(part.AsText()));
    case Operator::kContains:
      return sql::TruthOf(IsIn(text.AsText(), part.AsText()));
    case Operator::kStartsWithAnyCase:
      return in_any_case([](const auto& a, const auto& b) { return a.starts_with(b); });
    case Operator::kEndsWithAnyCase:
      return in_any_case([](const auto& a, const auto& b) { return a.ends_with(b); });
    case Operator::kContainsAnyCase:
      return in_any_case(IsIn);
    default:
      return in_any_case([](const auto& a, const auto& b) { return a == b; });
  }
}

// Returns whether each field of `part` is in `whole`, and equal there. What is no object has to be
// equal.
bool HasPart(const Value& whole, const Value& part) {
  if (part.kind() != Kind::kObject) return sql::DeepEqual(whole, part);
  return whole.kind() == Kind::kObject &&
         std::ranges::all_of(part.AsFields(), [&](const Field& field) {
           const Value* found = whole.Find(field.name);
           return found != nullptr && sql::DeepEqual(*found, field.value);
         });
}

Truth ArrayTest(Operator op, const Operand& array, const Operand& wanted) {
  if (array.kind() != Kind::kArray || wanted.is_undefined()) return Truth::kUndefined;
  const Value& value = wanted.value();
  return sql::TruthOf(std::ranges::any_of(array.value().AsValues(), [&](const Value& element) {
    return op == Operator::kArrayContains ? sql::DeepEqual(element, value)
                                          : HasPart(element, value);
  }));
}

Value Finite(double number) {
  return std::isfinite(number) ? NumberFromDouble(number) : Value::Undefined();
}

Value Arithmetic(Operator op, const Value& a, const Value& b) {
  if (!a.is_number() || !b.is_number()) return Value::Undefined();
  switch (op) {
    case Operator::kAdd:
      return Add(a, b);
    case Operator::kSubtract:
      return Finite(ToDouble(a) - ToDouble(b));
    case Operator::kMultiply:
      return Finite(ToDouble(a) * ToDouble(b));
    case Operator::kDivide:
      return Finite(ToDouble(a) / ToDouble(b));
    default:
      return Finite(std::fmod(ToDouble(a), ToDouble(b)));
  }
}

Value OneNumber(Operator op, const Operand& operand) {
  if (operand.type() != JsonType::kNumber) return Value::Undefined();
  return Finite(op == Operator::kAbs ? std::fabs(operand.AsNumber()) : -operand.AsNumber());
}

Value OneText(Operator op, const Operand& operand) {
  if (operand.type() != JsonType::kString) return Value::Undefined();
  const std::string_view text = operand.AsText();
  if (op == Operator::kLower) return Value::String(ToLowerCase(text));
  if (op == Operator::kUpper) return Value::String(ToUpperCase(text));
  // Every byte of UTF-8 but the continuation bytes begins a code point.
  const auto points = std::ranges::count_if(text, [](char c) { return (c & 0xc0) != 0x80; });
  return Value::Int32(static_cast<int32_t>(points));
}

class ExpressionEvaluator {
 public:
  explicit ExpressionEvaluator(DocumentView document) : document_(document) {}

  // The expression as a condition.
  Truth Test(const Expression& expression) const {
    const auto operand = [&](size_t i) { return Get(expression.operands()[i]); };
    switch (expression.op()) {
      case Operator::kEqual:
        return Equal(operand(0), operand(1));
      case Operator::kNotEqual:
        return Not(Equal(operand(0), operand(1)));
      case Operator::kLess:
      case Operator::kLessOrEqual:
      case Operator::kGreater:
      case Operator::kGreaterOrEqual:
        return Ordered(expression.op(), operand(0), operand(1));
      case Operator::kAnd:
        return TestAll(expression);
      case Operator::kOr:
        return TestAny(expression);
      case Operator::kNot:
        return Not(Test(expression.operands()[0]));
      case Operator::kIn:
        return TestIn(expression);
      case Operator::kBetween: {
        const Operand value = operand(0);
        return And(Ordered(Operator::kGreaterOrEqual, value, operand(1)),
                   Ordered(Operator::kLessOrEqual, value, operand(2)));
      }
      case Operator::kIsDefined:
      case Operator::kIsNull:
      case Operator::kIsNumber:
      case Operator::kIsString:
      case Operator::kIsBool:
      case Operator::kIsArray:
      case Operator::kIsObject:
      case Operator::kIsPrimitive:
      case Operator::kIsInteger:
      case Operator::kIsFiniteNumber:
        return sql::TruthOf(IsOfType(expression.op(), operand(0)));
      case Operator::kStartsWith:
      case Operator::kEndsWith:
      case Operator::kContains:
      case Operator::kStartsWithAnyCase:
      case Operator::kEndsWithAnyCase:
      case Operator::kContainsAnyCase:
      case Operator::kEqualsAnyCase:
        return TextTest(expression.op(), operand(0), operand(1));
      case Operator::kArrayContains:
      case Operator::kArrayContainsPart:
        return ArrayTest(expression.op(), operand(0), operand(1));
      case Operator::kMongoEqual:
      case Operator::kMongoLess:
      case Operator::kMongoLessOrEqual:
      case Operator::kMongoGreater:
      case Operator::kMongoGreaterOrEqual:
      case Operator::kMongoIn:
      case Operator::kMongoExists:
      case Operator::kMongoType:
      case Operator::kMongoSize:
      case Operator::kMongoElement:
        return sql::TruthOf(MeetsMongo(expression, document_));
      default:
        return TruthOf(Get(expression));
    }
  }

  // The expression as a value.
  Operand Get(const Expression& expression) const {
    const auto operand = [&](size_t i) { return Get(expression.operands()[i]); };
    switch (expression.op()) {
      case Operator::kLiteral:
        return Operand(expression.literal());
      case Operator::kPath:
        if (expression.path().steps().empty()) return Operand(document_.ToObject());
        return Operand(expression.path().Find(document_));
      case Operator::kField:
        if (expression.path().steps().empty()) return Operand(document_.ToObject());
        return Operand(expression.path().FindField(document_));
      case Operator::kMongoValue:
        return MongoValue(expression.operands().front().path().steps());
      case Operator::kAdd:
      case Operator::kSubtract:
      case Operator::kMultiply:
      case Operator::kDivide:
      case Operator::kModulo:
        return Operand(Arithmetic(expression.op(), operand(0).value(), operand(1).value()));
      case Operator::kNegate:
      case Operator::kAbs:
        return Operand(OneNumber(expression.op(), operand(0)));
      case Operator::kLength:
      case Operator::kLower:
      case Operator::kUpper:
        return Operand(OneText(expression.op(), operand(0)));
      case Operator::kConcat: {
        const Operand a = operand(0);
        const Operand b = operand(1);
        if (a.type() != JsonType::kString || b.type() != JsonType::kString) return {};
        return Operand(Value::String(std::string(a.AsText()).append(b.AsText())));
      }
      case Operator::kCoalesce: {
        Operand left = operand(0);
        return left.is_undefined() ? operand(1) : left;
      }
      case Operator::kConditional:
        return Test(expression.operands()[0]) == Truth::kTrue ? operand(1) : operand(2);
      case Operator::kArrayLength: {
        const Operand array = operand(0);
        if (array.kind() != Kind::kArray) return {};
        return Operand(NumberFromDouble(static_cast<double>(array.value().AsValues().size())));
      }
      case Operator::kArray:
        return MakeArray(expression);
      case Operator::kObject:
        return MakeObject(expression);
      default:
        return Operand(sql::ToValue(Test(expression)));
    }
  }

 private:
  Operand MongoValue(std::span<const std::string> steps) const {
    // Most paths are one field, which need not be decoded.
    if (steps.size() == 1) return Operand(document_.Find(steps.front()));
    return Operand(MongoValueAt(document_, steps));
  }

  Truth TestAll(const Expression& expression) const {
    Truth result = Truth::kTrue;
    for (const Expression& operand : expression.operands()) {
      result = And(result, Test(operand));
      if (result == Truth::kFalse) break;
    }
    return result;
  }

  Truth TestAny(const Expression& expression) const {
    Truth result = Truth::kFalse;
    for (const Expression& operand : expression.operands()) {
      result = Or(result, Test(operand));
      if (result == Truth::kTrue) break;
    }
    return result;
  }

  Truth TestIn(const Expression& expression) const {
    const Operand wanted = Get(expression.operands()[0]);
    if (expression.candidates() != nullptr)
      return expression.candidates()->Contains(wanted.value());
    Truth found = Truth::kFalse;
    for (const Expression& candidate : expression.operands().subspan(1)) {
      found = Or(found, Equal(wanted, Get(candidate)));
      if (found == Truth::kTrue) break;
    }
    return found;
  }

  Operand MakeArray(const Expression& expression) const {
    Values elements;
    for (const Expression& operand : expression.operands()) {
      const Operand value = Get(operand);
      if (!value.is_undefined()) elements.push_back(value.value());
    }
    return Operand(Value::Array(std::move(elements)));
  }

  Operand MakeObject(const Expression& expression) const {
    Fields fields;
    for (size_t i = 0; i < expression.operands().size(); ++i) {
      const Operand value = Get(expression.operands()[i]);
      if (!value.is_undefined()) fields.push_back(Field{expression.names()[i], value.value()});
    }
    return Operand(Value::Object(std::move(fields)));
  }

  const DocumentView document_;
};

}  // namespace

Value Evaluate(const Expression& expression, DocumentView document) {
  return ExpressionEvaluator(document).Get(expression).value();
}

Operand EvaluateOperand(const Expression& expression, DocumentView document) {
  return ExpressionEvaluator(document).Get(expression);
}

bool Matches(const Expression& expression, DocumentView document) {
  return ExpressionEvaluator(document).Test(expression) == Truth::kTrue;
}

}  // namespace orrery::model
