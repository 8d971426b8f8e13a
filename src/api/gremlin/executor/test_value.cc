#include "api/gremlin/executor/test_value.h"

#include <algorithm>
#include <string>

#include "api/gremlin/value/relation.h"
#include "api/gremlin/value/text.h"
#include "model/regex/regex.h"

namespace orrery::gremlin {
namespace {

Truth Of(bool value) { return value ? Truth::kTrue : Truth::kFalse; }

}  // namespace

Truth Not(Truth truth) { return truth == Truth::kUnknown ? truth : Of(truth == Truth::kFalse); }

Truth And(Truth a, Truth b) {
  if (a == Truth::kFalse || b == Truth::kFalse) return Truth::kFalse;
  return a == Truth::kTrue && b == Truth::kTrue ? Truth::kTrue : Truth::kUnknown;
}

Truth Or(Truth a, Truth b) { return Not(And(Not(a), Not(b))); }

namespace {

template <typename Accepts>
Truth Compared(const Value& a, const Value& b, Accepts accepts) {
  const auto order = Compare(a, b);
  return order.has_value() ? Of(accepts(*order)) : Truth::kUnknown;
}

// Of text predicates; null is not text.
Result<Truth> TestText(const Predicate& predicate, const Value& value) {
  const Value& part = predicate.values.front();
  if (!part.is_string())
    return Fail(Code::kInvalidArgument, "a text predicate takes a string, not " + ToText(part));
  if (!value.is_string()) return Truth::kUnknown;
  const std::string& text = value.AsString();
  switch (predicate.comparison) {
    case Comparison::kContaining:
      return Of(text.contains(part.AsString()));
    case Comparison::kNotContaining:
      return Of(!text.contains(part.AsString()));
    case Comparison::kStartingWith:
      return Of(text.starts_with(part.AsString()));
    case Comparison::kNotStartingWith:
      return Of(!text.starts_with(part.AsString()));
    case Comparison::kEndingWith:
      return Of(text.ends_with(part.AsString()));
    default:
      return Of(!text.ends_with(part.AsString()));
  }
}

bool IsOfType(const Value& value, std::string_view type) {
  switch (value.type()) {
    case Type::kString:
      return type == "STRING";
    case Type::kBool:
      return type == "BOOLEAN";
    case Type::kByte:
      return type == "BYTE" || type == "NUMBER";
    case Type::kShort:
      return type == "SHORT" || type == "NUMBER";
    case Type::kInt:
      return type == "INT" || type == "INTEGER" || type == "NUMBER";
    case Type::kLong:
      return type == "LONG" || type == "NUMBER";
    case Type::kFloat:
      return type == "FLOAT" || type == "NUMBER";
    case Type::kDouble:
      return type == "DOUBLE" || type == "NUMBER";
    case Type::kBigInteger:
      return type == "BIGINT" || type == "NUMBER";
    case Type::kBigDecimal:
      return type == "BIGDECIMAL" || type == "NUMBER";
    case Type::kUuid:
      return type == "UUID";
    case Type::kDate:
      return type == "DATETIME";
    case Type::kList:
    case Type::kBulkSet:
      return type == "LIST";
    case Type::kSet:
      return type == "SET";
    case Type::kMap:
      return type == "MAP";
    case Type::kVertex:
      return type == "VERTEX";
    case Type::kEdge:
      return type == "EDGE";
    case Type::kVertexProperty:
      return type == "VPROPERTY";
    case Type::kProperty:
      return type == "PROPERTY";
    case Type::kPath:
      return type == "PATH";
    case Type::kTree:
      return type == "TREE";
    case Type::kNull:
      return type == "NULL";
    default:
      return false;
  }
}

// Returns whether the pattern matches somewhere in the text. The last pattern of a thread stays
// compiled.
Result<bool> FindsPattern(const std::string& pattern, const std::string& text) {
  struct Compiled {
    std::string pattern;
    model::Regex regex;
  };
  thread_local std::optional<Compiled> last;
  if (!last.has_value() || last->pattern != pattern) {
    ORRERY_ASSIGN(model::Regex regex, model::Regex::Compile(pattern));
    last.emplace(pattern, std::move(regex));
  }
  return last->regex.Search(text);
}

}  // namespace

Result<Truth> Test(const Predicate& predicate, const Value& value) {
  const Values& values = predicate.values;
  switch (predicate.comparison) {
    case Comparison::kEq:
      return Of(Equals(value, values[0]));
    case Comparison::kNeq:
      return Of(!Equals(value, values[0]));
    case Comparison::kLt:
      return Compared(value, values[0], [](auto order) { return order < 0; });
    case Comparison::kLte:
      return Compared(value, values[0], [](auto order) { return order <= 0; });
    case Comparison::kGt:
      return Compared(value, values[0], [](auto order) { return order > 0; });
    case Comparison::kGte:
      return Compared(value, values[0], [](auto order) { return order >= 0; });
    case Comparison::kInside:
      return And(Compared(value, values[0], [](auto order) { return order > 0; }),
                 Compared(value, values[1], [](auto order) { return order < 0; }));
    case Comparison::kOutside:
      return Or(Compared(value, values[0], [](auto order) { return order < 0; }),
                Compared(value, values[1], [](auto order) { return order > 0; }));
    case Comparison::kBetween:
      return And(Compared(value, values[0], [](auto order) { return order >= 0; }),
                 Compared(value, values[1], [](auto order) { return order < 0; }));
    case Comparison::kWithin:
      return Of(std::ranges::any_of(values, [&](const Value& v) { return Equals(v, value); }));
    case Comparison::kWithout:
      return Of(std::ranges::none_of(values, [&](const Value& v) { return Equals(v, value); }));
    case Comparison::kTypeOf:
      return Of(values[0].is_enum("GType") && IsOfType(value, values[0].AsEnum().name));
    case Comparison::kRegex:
    case Comparison::kNotRegex: {
      if (!value.is_string() || !values[0].is_string()) return Truth::kUnknown;
      ORRERY_ASSIGN(const bool found, FindsPattern(values[0].AsString(), value.AsString()));
      return Of(found == (predicate.comparison == Comparison::kRegex));
    }
    case Comparison::kNot: {
      ORRERY_ASSIGN(const Truth truth, Test(*predicate.parts.front(), value));
      return Not(truth);
    }
    case Comparison::kAnd:
    case Comparison::kOr: {
      const bool is_and = predicate.comparison == Comparison::kAnd;
      Truth all = Of(is_and);
      for (const auto& part : predicate.parts) {
        ORRERY_ASSIGN(const Truth truth, Test(*part, value));
        all = is_and ? And(all, truth) : Or(all, truth);
      }
      return all;
    }
    default:
      return TestText(predicate, value);
  }
}

Result<bool> Passes(const Value& test, const Value& value) {
  bool unknown = false;
  return Passes(test, value, unknown);
}

Result<bool> Passes(const Value& test, const Value& value, bool& unknown) {
  if (test.type() != Type::kPredicate) return Equals(test, value);
  ORRERY_ASSIGN(const Truth truth, Test(test.AsPredicate(), value));
  unknown = unknown || truth == Truth::kUnknown;
  return truth == Truth::kTrue;
}

}  // namespace orrery::gremlin
