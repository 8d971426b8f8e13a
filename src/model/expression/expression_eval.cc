// How each operator of expression.h computes its value.
#include <algorithm>
#include <cmath>
#include <optional>

#include "model/compare.h"
#include "model/expression/expression.h"
#include "model/expression/letter_case.h"
#include "model/number/number.h"
#include "model/type_class.h"

namespace orrery::model {
namespace {

// A condition's three outcomes.
using Truth = std::optional<bool>;

Truth TruthOf(const Value& value) {
  return value.kind() == Kind::kBool ? Truth(value.AsBool()) : std::nullopt;
}

Value FromTruth(Truth truth) {
  return truth.has_value() ? Value::Bool(*truth) : Value::Undefined();
}

bool SameType(const Value& a, const Value& b) {
  return ClassOf(a.kind(), Order::kSql) == ClassOf(b.kind(), Order::kSql);
}

// Fields in any order: an object is a set of them.
bool DeepEqual(const Value& a, const Value& b) {
  if (!SameType(a, b)) return false;
  if (a.kind() == Kind::kObject) {
    return a.AsFields().size() == b.AsFields().size() &&
           std::ranges::all_of(a.AsFields(), [&b](const Field& field) {
             const Value* other = b.Find(field.name);
             return other != nullptr && DeepEqual(field.value, *other);
           });
  }
  if (a.kind() == Kind::kArray && b.kind() == Kind::kArray) {
    return std::ranges::equal(a.AsValues(), b.AsValues(), DeepEqual);
  }
  return Equivalent(a, b, Order::kSql);
}

bool IsOrdered(const Value& value) {
  return value.kind() != Kind::kArray && value.kind() != Kind::kObject;
}

Truth CompareWith(Operator op, const Value& a, const Value& b) {
  if (a.is_undefined() || b.is_undefined() || !SameType(a, b)) return std::nullopt;
  if (op == Operator::kEqual) return DeepEqual(a, b);
  if (op == Operator::kNotEqual) return !DeepEqual(a, b);
  if (!IsOrdered(a)) return std::nullopt;
  const std::weak_ordering order = Compare(a, b, Order::kSql);
  switch (op) {
    case Operator::kLess:
      return order < 0;
    case Operator::kLessOrEqual:
      return order <= 0;
    case Operator::kGreater:
      return order > 0;
    default:
      return order >= 0;
  }
}

Truth And(Truth a, Truth b) {
  if (a == false || b == false) return false;
  if (a == true && b == true) return true;
  return std::nullopt;
}

Truth Or(Truth a, Truth b) {
  if (a == true || b == true) return true;
  if (a == false && b == false) return false;
  return std::nullopt;
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

Value TextTest(Operator op, const Value& text, const Value& part) {
  if (text.kind() != Kind::kString || part.kind() != Kind::kString) return Value::Undefined();
  const std::string& whole = text.AsString();
  switch (op) {
    case Operator::kStartsWith:
      return Value::Bool(whole.starts_with(part.AsString()));
    case Operator::kEndsWith:
      return Value::Bool(whole.ends_with(part.AsString()));
    case Operator::kContains:
      return Value::Bool(whole.find(part.AsString()) != std::string::npos);
    default:
      return Value::String(whole + part.AsString());
  }
}

Value MapCase(const Value& text, std::string (*mapping)(std::string_view)) {
  if (text.kind() != Kind::kString) return Value::Undefined();
  return Value::String(mapping(text.AsString()));
}

Value Length(const Value& text) {
  if (text.kind() != Kind::kString) return Value::Undefined();
  // Every byte of UTF-8 but the continuation bytes begins a code point.
  const auto points =
      std::ranges::count_if(text.AsString(), [](char c) { return (c & 0xc0) != 0x80; });
  return Value::Int32(static_cast<int32_t>(points));
}

Value ArrayContains(const Value& array, const Value& wanted) {
  if (array.kind() != Kind::kArray || wanted.is_undefined()) return Value::Undefined();
  return Value::Bool(
      std::ranges::any_of(array.AsValues(), [&](const Value& x) { return DeepEqual(x, wanted); }));
}

class Evaluator {
 public:
  explicit Evaluator(DocumentView document) : document_(document) {}

  Value Run(const Expression& expression) const {
    const auto operand = [&](size_t i) { return Run(expression.operands()[i]); };
    switch (expression.op()) {
      case Operator::kLiteral:
        return expression.literal();
      case Operator::kPath:
        return expression.path().Get(document_);
      case Operator::kEqual:
      case Operator::kNotEqual:
      case Operator::kLess:
      case Operator::kLessOrEqual:
      case Operator::kGreater:
      case Operator::kGreaterOrEqual:
        return FromTruth(CompareWith(expression.op(), operand(0), operand(1)));
      case Operator::kAnd:
        return RunAnd(expression);
      case Operator::kOr:
        return RunOr(expression);
      case Operator::kNot: {
        const Truth truth = TruthOf(operand(0));
        return truth.has_value() ? Value::Bool(!*truth) : Value::Undefined();
      }
      case Operator::kAdd:
      case Operator::kSubtract:
      case Operator::kMultiply:
      case Operator::kDivide:
      case Operator::kModulo:
        return Arithmetic(expression.op(), operand(0), operand(1));
      case Operator::kNegate:
        return RunOnNumber(operand(0), [](double x) { return -x; });
      case Operator::kAbs:
        return RunOnNumber(operand(0), [](double x) { return std::fabs(x); });
      case Operator::kConcat:
      case Operator::kStartsWith:
      case Operator::kEndsWith:
      case Operator::kContains:
        return TextTest(expression.op(), operand(0), operand(1));
      case Operator::kCoalesce: {
        Value left = operand(0);
        return left.is_undefined() ? operand(1) : left;
      }
      case Operator::kConditional:
        return TruthOf(operand(0)) == true ? operand(1) : operand(2);
      case Operator::kIn:
        return RunIn(expression);
      case Operator::kBetween: {
        const Value value = operand(0);
        return FromTruth(And(CompareWith(Operator::kGreaterOrEqual, value, operand(1)),
                             CompareWith(Operator::kLessOrEqual, value, operand(2))));
      }
      case Operator::kIsDefined:
        return Value::Bool(!operand(0).is_undefined());
      case Operator::kIsNull:
        return Value::Bool(operand(0).is_null());
      case Operator::kIsNumber:
        return Value::Bool(operand(0).is_number());
      case Operator::kIsString:
        return Value::Bool(operand(0).kind() == Kind::kString);
      case Operator::kIsBool:
        return Value::Bool(operand(0).kind() == Kind::kBool);
      case Operator::kIsArray:
        return Value::Bool(operand(0).kind() == Kind::kArray);
      case Operator::kIsObject:
        return Value::Bool(operand(0).kind() == Kind::kObject);
      case Operator::kArrayContains:
        return ArrayContains(operand(0), operand(1));
      case Operator::kArrayLength: {
        const Value array = operand(0);
        if (array.kind() != Kind::kArray) return Value::Undefined();
        return NumberFromDouble(static_cast<double>(array.AsValues().size()));
      }
      case Operator::kLength:
        return Length(operand(0));
      case Operator::kLower:
        return MapCase(operand(0), ToLowerCase);
      case Operator::kUpper:
        return MapCase(operand(0), ToUpperCase);
      case Operator::kArray:
        return MakeArray(expression);
      case Operator::kObject:
        return MakeObject(expression);
    }
    return Value::Undefined();
  }

 private:
  Value RunAnd(const Expression& expression) const {
    Truth result = true;
    for (const Expression& operand : expression.operands()) {
      result = And(result, TruthOf(Run(operand)));
      if (result == false) break;
    }
    return FromTruth(result);
  }

  Value RunOr(const Expression& expression) const {
    Truth result = false;
    for (const Expression& operand : expression.operands()) {
      result = Or(result, TruthOf(Run(operand)));
      if (result == true) break;
    }
    return FromTruth(result);
  }

  // Membership, not a chain of OR: candidates of other types simply differ.
  Value RunIn(const Expression& expression) const {
    const Value wanted = Run(expression.operands()[0]);
    if (wanted.is_undefined()) return wanted;
    for (const Expression& candidate : expression.operands().subspan(1)) {
      if (DeepEqual(wanted, Run(candidate))) return Value::Bool(true);
    }
    return Value::Bool(false);
  }

  template <typename Function>
  Value RunOnNumber(const Value& number, Function function) const {
    return number.is_number() ? Finite(function(ToDouble(number))) : Value::Undefined();
  }

  Value MakeArray(const Expression& expression) const {
    Values elements;
    for (const Expression& operand : expression.operands()) {
      Value value = Run(operand);
      if (!value.is_undefined()) elements.push_back(std::move(value));
    }
    return Value::Array(std::move(elements));
  }

  Value MakeObject(const Expression& expression) const {
    Fields fields;
    for (size_t i = 0; i < expression.operands().size(); ++i) {
      Value value = Run(expression.operands()[i]);
      if (!value.is_undefined()) fields.push_back(Field{expression.names()[i], std::move(value)});
    }
    return Value::Object(std::move(fields));
  }

  const DocumentView document_;
};

}  // namespace

Value Evaluate(const Expression& expression, DocumentView document) {
  return Evaluator(document).Run(expression);
}

bool Matches(const Expression& expression, DocumentView document) {
  return TruthOf(Evaluate(expression, document)) == true;
}

}  // namespace orrery::model
