#include "model/number/number.h"

#include <charconv>
#include <cmath>
#include <limits>
#include <string>

#include "model/number/big_number.h"

namespace orrery::model {
namespace {

double FromDigits(bool negative, const std::string& digits, int64_t exponent) {
  const std::string text = (negative ? "-" : "") + digits + "e" + std::to_string(exponent);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::result_out_of_range) {
    const bool tiny = static_cast<int64_t>(digits.size()) + exponent < 0;
    value = tiny ? 0.0 : std::numeric_limits<double>::infinity();
    return negative ? -value : value;
  }
  return value;
}

double DoubleFromDecimal128(Decimal128Bits bits) {
  const UnpackedDecimal128 unpacked = UnpackDecimal128(bits);
  switch (unpacked.form) {
    case Decimal128Form::kNan:
      return std::numeric_limits<double>::quiet_NaN();
    case Decimal128Form::kInfinity: {
      const double infinity = std::numeric_limits<double>::infinity();
      return unpacked.negative ? -infinity : infinity;
    }
    case Decimal128Form::kFinite:
      break;
  }
  return FromDigits(unpacked.negative, unpacked.magnitude.coefficient.str(),
                    unpacked.magnitude.exponent);
}

}  // namespace

double ToDouble(const Value& number) {
  switch (number.kind()) {
    case Kind::kFloat:
    case Kind::kDouble:
      return number.AsDouble();
    case Kind::kDecimal128:
      return DoubleFromDecimal128(number.AsDecimal128());
    case Kind::kVarint: {
      const BigInt whole = BigIntFromBytes(number.AsBytes());
      return FromDigits(whole < 0, BigInt(abs(whole)).str(), 0);
    }
    case Kind::kDecimal: {
      const ScientificDecimal decimal = ToScientific(number.AsDecimal());
      if (decimal.sign == 0) return 0;
      return FromDigits(decimal.sign < 0, decimal.digits,
                        decimal.exponent - static_cast<int64_t>(decimal.digits.size()));
    }
    default:
      return static_cast<double>(number.AsInteger());
  }
}

Value NumberFromDouble(double number) {
  // Not every int64 is a double; -2^63 is, 2^63 is the first that is too large.
  if (number != std::trunc(number) || number < -0x1p63 || number >= 0x1p63)
    return Value::Double(number);
  const auto whole = static_cast<int64_t>(number);
  if (whole == static_cast<int32_t>(whole)) return Value::Int32(static_cast<int32_t>(whole));
  return Value::Int64(whole);
}

Value Add(const Value& a, const Value& b) {
  const auto is_integer = [](Kind kind) { return kind >= Kind::kInt8 && kind <= Kind::kInt64; };
  int64_t whole = 0;
  if (is_integer(a.kind()) && is_integer(b.kind()) &&
      !__builtin_add_overflow(a.AsInteger(), b.AsInteger(), &whole)) {
    if (whole == static_cast<int32_t>(whole)) return Value::Int32(static_cast<int32_t>(whole));
    return Value::Int64(whole);
  }
  const double sum = ToDouble(a) + ToDouble(b);
  return std::isfinite(sum) ? NumberFromDouble(sum) : Value::Undefined();
}

}  // namespace orrery::model
