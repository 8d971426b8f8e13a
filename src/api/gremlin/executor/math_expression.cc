#include "api/gremlin/executor/math_expression.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <numbers>

#include "api/gremlin/value/arithmetic.h"
#include "api/gremlin/value/relation.h"
#include "api/gremlin/value/text.h"
#include "query/lexer/character_class.h"
#include "query/lexer/nesting.h"

namespace orrery::gremlin {
namespace {

using Function = double (*)(double);

const std::map<std::string_view, Function>& MathFunctions() {
  static const std::map<std::string_view, Function> functions = {
      {"abs", std::fabs},
      {"acos", std::acos},
      {"asin", std::asin},
      {"atan", std::atan},
      {"cbrt", std::cbrt},
      {"ceil", std::ceil},
      {"cos", std::cos},
      {"cosh", std::cosh},
      {"exp", std::exp},
      {"floor", std::floor},
      {"log", std::log},
      {"log10", std::log10},
      {"log2", std::log2},
      {"sin", std::sin},
      {"sinh", std::sinh},
      {"sqrt", std::sqrt},
      {"tan", std::tan},
      {"tanh", std::tanh},
      {"signum", [](double x) { return x > 0   ? 1.0
                                       : x < 0 ? -1.0
                                               : x; }}};
  return functions;
}

}  // namespace

class MathParser {
 public:
  explicit MathParser(std::string_view text) : rest_(text), nesting_(100) {}

  Result<MathExpression> Parse() {
    ORRERY_ASSIGN(expression_.evaluate_, Sum());
    Skip();
    if (!rest_.empty()) return Malformed();
    return std::move(expression_);
  }

 private:
  using Node = MathExpression::Node;

  static std::unexpected<Error> Malformed() {
    return Fail(Code::kInvalidArgument, "malformed expression of math()");
  }
  void Skip() {
    while (!rest_.empty() && (rest_.front() == ' ' || rest_.front() == '\t'))
      rest_.remove_prefix(1);
  }
  bool Take(char c) {
    Skip();
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }

  Result<Node> Sum() {
    ORRERY_ASSIGN(Node left, Product());
    while (true) {
      const bool plus = Take('+');
      if (!plus && !Take('-')) return left;
      ORRERY_ASSIGN(Node right, Product());
      left = [plus, left = std::move(left), right = std::move(right)](const auto& numbers) {
        return plus ? left(numbers) + right(numbers) : left(numbers) - right(numbers);
      };
    }
  }
  Result<Node> Product() {
    ORRERY_ASSIGN(Node left, Unary());
    while (true) {
      Skip();
      const char sign = rest_.empty() ? '\0' : rest_.front();
      if (sign != '*' && sign != '/' && sign != '%') return left;
      rest_.remove_prefix(1);
      ORRERY_ASSIGN(Node right, Unary());
      left = [sign, left = std::move(left), right = std::move(right)](const auto& numbers) {
        const double a = left(numbers);
        const double b = right(numbers);
        if (sign == '*') return a * b;
        if (b == 0) numbers.divided_by_zero = true;
        return sign == '/' ? a / b : std::fmod(a, b);
      };
    }
  }
  Result<Node> Unary() {
    const query::NestingLevel level(nesting_);
    if (!level.ok()) return Malformed();
    if (Take('+')) return Unary();
    if (!Take('-')) return Power();
    ORRERY_ASSIGN(Node operand, Unary());
    return Node([operand = std::move(operand)](const auto& numbers) { return -operand(numbers); });
  }
  Result<Node> Power() {
    ORRERY_ASSIGN(Node base, Primary());
    if (!Take('^')) return base;
    ORRERY_ASSIGN(Node exponent, Unary());
    return Node([base = std::move(base), exponent = std::move(exponent)](const auto& numbers) {
      return std::pow(base(numbers), exponent(numbers));
    });
  }
  Result<Node> Primary() {
    Skip();
    if (Take('(')) {
      ORRERY_ASSIGN(Node inner, Sum());
      if (!Take(')')) return Malformed();
      return inner;
    }
    if (rest_.empty()) return Malformed();
    if (query::IsDigit(rest_.front()) || rest_.front() == '.') {
      double number = 0;
      const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), number);
      if (error != std::errc()) return Malformed();
      rest_.remove_prefix(static_cast<size_t>(end - rest_.data()));
      return Node([number](const auto&) { return number; });
    }
    for (const auto& [symbol, number] : {std::pair{std::string_view("π"), std::numbers::pi},
                                         std::pair{std::string_view("φ"), std::numbers::phi}}) {
      if (!rest_.starts_with(symbol)) continue;
      rest_.remove_prefix(symbol.size());
      return Node([number](const auto&) { return number; });
    }
    if (!query::IsWordCharacter(rest_.front())) return Malformed();
    size_t length = 1;
    while (length < rest_.size() && query::IsWordCharacter(rest_[length])) ++length;
    const std::string name(rest_.substr(0, length));
    rest_.remove_prefix(length);
    if (Take('(')) return Call(name);
    if (const auto function = MathFunctions().find(name); function != MathFunctions().end()) {
      // Without parentheses a function takes all that follows: sqrt _ + 1 is sqrt(_ + 1).
      const query::NestingLevel level(nesting_);
      if (!level.ok()) return Malformed();
      ORRERY_ASSIGN(Node argument, Sum());
      return Node([call = function->second, argument = std::move(argument)](const auto& numbers) {
        return call(argument(numbers));
      });
    }
    auto& variables = expression_.variables_;
    const auto found = std::ranges::find(variables, name);
    const auto index = static_cast<size_t>(found - variables.begin());
    if (found == variables.end()) variables.push_back(name);
    return Node([index](const auto& numbers) { return numbers.values[index]; });
  }
  Result<Node> Call(const std::string& name) {
    ORRERY_ASSIGN(Node argument, Sum());
    if (name == "pow") {
      if (!Take(',')) return Malformed();
      ORRERY_ASSIGN(Node exponent, Sum());
      if (!Take(')')) return Malformed();
      return Node(
          [argument = std::move(argument), exponent = std::move(exponent)](const auto& numbers) {
            return std::pow(argument(numbers), exponent(numbers));
          });
    }
    const auto function = MathFunctions().find(name);
    if (function == MathFunctions().end())
      return Fail(Code::kInvalidArgument, "math() has no function '" + name + "'");
    if (!Take(')')) return Malformed();
    return Node([call = function->second, argument = std::move(argument)](const auto& numbers) {
      return call(argument(numbers));
    });
  }

  std::string_view rest_;
  query::Nesting nesting_;
  MathExpression expression_;
};

Result<MathExpression> MathExpression::Parse(std::string_view text) {
  return MathParser(text).Parse();
}

Result<double> MathExpression::Evaluate(std::vector<double> numbers) const {
  const Numbers given{.values = std::move(numbers)};
  const double result = evaluate_(given);
  if (given.divided_by_zero) return Fail(Code::kInvalidArgument, "Division by zero!");
  return result;
}

std::optional<double> MathConstant(std::string_view name) {
  if (name == "pi") return std::numbers::pi;
  if (name == "e") return std::numbers::e;
  return std::nullopt;
}

Result<Value> CombineValues(std::string_view operation, const Value& a, const Value& b) {
  if (operation == "assign" || a.is_null()) return b;
  if (operation == "sum" || operation == "sumLong") return Calculate(Arithmetic::kAdd, a, b);
  if (operation == "minus") return Calculate(Arithmetic::kSubtract, a, b);
  if (operation == "mult") return Calculate(Arithmetic::kMultiply, a, b);
  if (operation == "div") return Calculate(Arithmetic::kDivide, a, b);
  if (operation == "min") return Order(b, a) < 0 ? b : a;
  if (operation == "max") return Order(b, a) > 0 ? b : a;
  if (operation == "and" || operation == "or") {
    if (a.type() != Type::kBool || b.type() != Type::kBool)
      return Fail(Code::kInvalidArgument, "Operator." + std::string(operation) + " takes booleans");
    return Value::Bool(operation == "and" ? a.AsBool() && b.AsBool() : a.AsBool() || b.AsBool());
  }
  if (operation == "addAll") {
    if (a.is_map() && b.is_map()) {
      ValueMap all = a.AsMap();
      for (const ValueMap::Entry& entry : b.AsMap().entries()) all.Set(entry.key, entry.value);
      return Value::Map(std::move(all));
    }
    Values all = a.is_collection() ? a.AsItems() : Values{a};
    if (b.is_collection()) {
      std::ranges::copy(b.AsItems(), std::back_inserter(all));
    } else {
      all.push_back(b);
    }
    return a.type() == Type::kSet ? MakeSet(all) : Value::List(std::move(all));
  }
  return Fail(Code::kInvalidArgument, "unknown Operator." + std::string(operation));
}

}  // namespace orrery::gremlin
