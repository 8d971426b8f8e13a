#include "api/gremlin/value/big_arithmetic.h"

#include <charconv>
#include <cmath>

#include "api/gremlin/value/big.h"
#include "model/number/big_number.h"

namespace orrery::gremlin {
namespace {

using model::BigInt;

// coefficient * 10^-scale
struct Decimal {
  BigInt coefficient;
  int64_t scale = 0;
};

size_t DigitsOf(const BigInt& number) {
  return (number < 0 ? BigInt(-number) : number).str().size();
}

BigInt TenTo(int64_t exponent) { return model::PowerOfTen(static_cast<uint32_t>(exponent)); }

std::optional<Decimal> DecimalOf(const Value& number) {
  if (number.is_integer()) return Decimal{BigInt(number.AsInteger()), 0};
  if (number.type() == Type::kBigInteger)
    return Decimal{model::BigIntFromBytes(number.AsBig().AsBytes()), 0};
  if (number.type() == Type::kBigDecimal) {
    const model::DecimalView view = number.AsBig().AsDecimal();
    return Decimal{model::BigIntFromBytes(view.unscaled), view.scale};
  }
  if (!std::isfinite(number.AsFloating())) return std::nullopt;
  // The shortest digits that name the double, as Java's BigDecimal.valueOf.
  char text[40];
  const auto [end, error] = std::to_chars(text, text + sizeof(text), number.AsFloating());
  if (error != std::errc()) return std::nullopt;
  const auto parsed = ParseBigDecimal(std::string_view(text, end));
  if (!parsed.has_value()) return std::nullopt;
  return DecimalOf(*parsed);
}

Result<Value> MadeDecimal(const Decimal& decimal) {
  if (DigitsOf(decimal.coefficient) > kBigResultDigitsMax ||
      std::abs(decimal.scale) > static_cast<int64_t>(kBigResultDigitsMax)) {
    return Fail(Code::kResourceExhausted,
                "a number has more than " + std::to_string(kBigResultDigitsMax) + " digits");
  }
  return Value::BigDecimal(model::Value::Decimal(static_cast<int32_t>(decimal.scale),
                                                 model::BytesFromBigInt(decimal.coefficient)));
}

Result<Value> MadeInteger(const BigInt& number) {
  if (DigitsOf(number) > kBigResultDigitsMax) {
    return Fail(Code::kResourceExhausted,
                "a number has more than " + std::to_string(kBigResultDigitsMax) + " digits");
  }
  return Value::BigInteger(model::Value::Varint(model::BytesFromBigInt(number)));
}

// Leaves out digits at the end, a half rounded away from zero.
void DropDigits(Decimal& decimal, int64_t digits) {
  if (digits <= 0) return;
  const BigInt divisor = TenTo(digits);
  const BigInt half = divisor / 2;
  decimal.coefficient =
      (decimal.coefficient + (decimal.coefficient < 0 ? BigInt(-half) : half)) / divisor;
  decimal.scale -= digits;
}

void Align(Decimal& a, Decimal& b) {
  if (a.scale < b.scale) {
    a.coefficient *= TenTo(b.scale - a.scale);
    a.scale = b.scale;
  } else if (b.scale < a.scale) {
    b.coefficient *= TenTo(a.scale - b.scale);
    b.scale = a.scale;
  }
}

bool IsTooFarApart(const Decimal& a, const Decimal& b) {
  return std::abs(a.scale - b.scale) > static_cast<int64_t>(kBigResultDigitsMax);
}

// The exact quotient where it has an end, else as many digits as TinkerPop gives it.
Decimal Quotient(const Decimal& a, const Decimal& b) {
  BigInt numerator = a.coefficient;
  BigInt denominator = b.coefficient;
  if (b.scale > a.scale) {
    numerator *= TenTo(b.scale - a.scale);
  } else {
    denominator *= TenTo(a.scale - b.scale);
  }
  if (denominator < 0) {
    numerator = -numerator;
    denominator = -denominator;
  }
  const int64_t preferred = a.scale - b.scale;
  if (numerator == 0) return {BigInt(0), std::max<int64_t>(preferred, 0)};
  const BigInt common =
      boost::multiprecision::gcd(numerator < 0 ? BigInt(-numerator) : numerator, denominator);
  BigInt reduced = denominator / common;
  int64_t twos = 0;
  int64_t fives = 0;
  while (reduced % 2 == 0) {
    reduced /= 2;
    ++twos;
  }
  while (reduced % 5 == 0) {
    reduced /= 5;
    ++fives;
  }
  if (reduced == 1) {
    const int64_t scale = std::max({preferred, twos, fives});
    Decimal exact{numerator * TenTo(scale) / denominator, scale};
    while (exact.scale > preferred && exact.scale <= 0 && exact.coefficient % 10 == 0) {
      exact.coefficient /= 10;
      --exact.scale;
    }
    return exact;
  }
  const auto precision =
      static_cast<int64_t>(std::max(DigitsOf(a.coefficient), DigitsOf(b.coefficient)) + 10);
  const int64_t shift =
      std::max<int64_t>(0, precision + 1 + static_cast<int64_t>(DigitsOf(denominator)) -
                               static_cast<int64_t>(DigitsOf(numerator)));
  Decimal result{numerator * TenTo(shift) / denominator, shift};
  DropDigits(result, static_cast<int64_t>(DigitsOf(result.coefficient)) - precision);
  DropDigits(result, result.scale - std::max({a.scale, b.scale, int64_t{10}}));
  return result;
}

bool IsWhole(const Value& number) {
  return number.is_integer() || number.type() == Type::kBigInteger;
}

}  // namespace

Result<Value> DivideDecimally(const Value& a, const Value& b) {
  const auto left = DecimalOf(a);
  const auto right = DecimalOf(b);
  if (!left.has_value() || !right.has_value())
    return Fail(Code::kInvalidArgument, "Infinite or NaN: no BigDecimal has this value");
  if (right->coefficient == 0) return Fail(Code::kInvalidArgument, "Division by zero");
  if (IsTooFarApart(*left, *right))
    return Fail(Code::kResourceExhausted, "the numbers' exponents are too far apart");
  return MadeDecimal(Quotient(*left, *right));
}

Result<Value> CalculateBig(Arithmetic operation, const Value& a, const Value& b) {
  auto left = DecimalOf(a);
  auto right = DecimalOf(b);
  if (!left.has_value() || !right.has_value())
    return Fail(Code::kInvalidArgument, "Infinite or NaN: no BigDecimal has this value");
  const bool is_whole = IsWhole(a) && IsWhole(b);
  if (operation == Arithmetic::kDivide) {
    if (!is_whole) return DivideDecimally(a, b);
    if (right->coefficient == 0) return Fail(Code::kInvalidArgument, "BigInteger divide by zero");
    return MadeInteger(left->coefficient / right->coefficient);
  }
  Decimal result;
  if (operation == Arithmetic::kMultiply) {
    result = {left->coefficient * right->coefficient, left->scale + right->scale};
  } else {
    if (IsTooFarApart(*left, *right))
      return Fail(Code::kResourceExhausted, "the numbers' exponents are too far apart");
    Align(*left, *right);
    result = {operation == Arithmetic::kAdd ? BigInt(left->coefficient + right->coefficient)
                                            : BigInt(left->coefficient - right->coefficient),
              left->scale};
  }
  return is_whole ? MadeInteger(result.coefficient) : MadeDecimal(result);
}

std::optional<std::weak_ordering> CompareBig(const Value& a, const Value& b) {
  auto left = DecimalOf(a);
  auto right = DecimalOf(b);
  if (!left.has_value() || !right.has_value() || IsTooFarApart(*left, *right)) {
    const double x = ToDouble(a);
    const double y = ToDouble(b);
    if (std::isnan(x) || std::isnan(y)) return std::nullopt;
    return x < y   ? std::weak_ordering::less
           : x > y ? std::weak_ordering::greater
                   : std::weak_ordering::equivalent;
  }
  Align(*left, *right);
  const int order = left->coefficient.compare(right->coefficient);
  return order <=> 0;
}

std::optional<Value> ToBigDecimal(const Value& number) {
  const auto decimal = DecimalOf(number);
  if (!decimal.has_value()) return std::nullopt;
  auto made = MadeDecimal(*decimal);
  return made.has_value() ? std::optional(*std::move(made)) : std::nullopt;
}

std::optional<Value> ToBigInteger(const Value& number) {
  const auto decimal = DecimalOf(number);
  if (!decimal.has_value() || std::abs(decimal->scale) > static_cast<int64_t>(kBigResultDigitsMax))
    return std::nullopt;
  const BigInt whole = decimal->scale > 0 ? BigInt(decimal->coefficient / TenTo(decimal->scale))
                                          : BigInt(decimal->coefficient * TenTo(-decimal->scale));
  auto made = MadeInteger(whole);
  return made.has_value() ? std::optional(*std::move(made)) : std::nullopt;
}

}  // namespace orrery::gremlin
