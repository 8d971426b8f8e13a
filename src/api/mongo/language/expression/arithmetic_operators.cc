#include <fmt/core.h>

#include <cmath>

#include "api/mongo/language/expression/operator_table.h"
#include "api/mongo/language/value/bson_type_name.h"
#include "api/mongo/language/value/number.h"
#include "api/mongo/language/value/print.h"
#include "model/aggregate/mongo_sum.h"
#include "model/number/decimal128.h"
#include "model/number/number.h"

namespace orrery::mongo {
namespace {

using model::Decimal128Bits;
using model::DecimalRounding;
using model::Kind;
using model::Value;

bool HasDecimal(const Call& call) {
  return call[0].kind() == Kind::kDecimal128 || call[1].kind() == Kind::kDecimal128;
}

// A date moved by a number of milliseconds.
// Decimals are rounded to even, a double that is added is rounded, and one that is subtracted is
// cut.
Answer<Value> MovedDate(int64_t date, const Value& number, bool is_subtracted) {
  Value whole = number;
  if (number.kind() == Kind::kDecimal128) {
    whole = Value::Decimal128(model::RoundTo(number.AsDecimal128(), 0, DecimalRounding::kHalfEven));
  } else if (number.kind() == Kind::kDouble && !is_subtracted) {
    // Halves go toward 1970.
    const double ms = number.AsDouble();
    const bool is_late = static_cast<double>(date) + ms >= 0;
    whole = Value::Double(is_late ? std::ceil(ms - 0.5) : std::floor(ms + 0.5));
  }
  const std::optional<int64_t> ms = TruncatedInt64(whole);
  if (is_subtracted && !ms.has_value()) {
    return Refuse(31109,
                  fmt::format("Can't coerce out of range value {} to long", PrintBson(number)));
  }
  int64_t moved = 0;
  if (!ms.has_value() || (is_subtracted ? __builtin_sub_overflow(date, *ms, &moved)
                                        : __builtin_add_overflow(date, *ms, &moved))) {
    return Refuse(ErrorCode::kOverflow,
                  is_subtracted ? "date overflow in $subtract" : "date overflow in $add");
  }
  return Value::DateTime(moved);
}

Answer<Value> AddAll(const Call& call) {
  model::MongoSum sum;
  std::optional<int64_t> date;
  for (const Value& value : call.arguments) {
    if (IsNullish(value)) return Value::Null();
    if (value.kind() == Kind::kDateTime) {
      if (date.has_value()) return Refuse(16612, "only one date allowed in an $add expression");
      date = value.AsDateTime();
    } else if (value.is_number()) {
      sum.Add(value);
    } else {
      return Refuse(ErrorCode::kTypeMismatch,
                    fmt::format("$add only supports numeric or date types, not {}",
                                BsonTypeName(value.kind())));
    }
  }
  return date.has_value() ? MovedDate(*date, sum.Sum(), false) : sum.Sum();
}

Answer<Value> Subtract(const Call& call) {
  const Value& a = call[0];
  const Value& b = call[1];
  if (IsNullish(a) || IsNullish(b)) return Value::Null();
  if (a.is_number() && b.is_number()) return SubtractNumbers(a, b);
  if (a.kind() == Kind::kDateTime) {
    if (b.kind() == Kind::kDateTime) {
      int64_t difference = 0;
      if (__builtin_sub_overflow(a.AsDateTime(), b.AsDateTime(), &difference)) {
        return Refuse(ErrorCode::kOverflow, "date overflow in $subtract");
      }
      return Value::Int64(difference);
    }
    if (b.is_number()) return MovedDate(a.AsDateTime(), b, true);
  }
  return Refuse(
      ErrorCode::kTypeMismatch,
      fmt::format("can't $subtract {} from {}", BsonTypeName(b.kind()), BsonTypeName(a.kind())));
}

Answer<Value> MultiplyAll(const Call& call) {
  Value product = Value::Int32(1);
  for (const Value& value : call.arguments) {
    if (IsNullish(value)) return Value::Null();
    if (!value.is_number()) {
      return Refuse(
          ErrorCode::kTypeMismatch,
          fmt::format("$multiply only supports numeric types, not {}", BsonTypeName(value.kind())));
    }
    product = MultiplyNumbers(product, value);
  }
  return product;
}

Answer<Value> DivideTwo(const Call& call) {
  const Value& a = call[0];
  const Value& b = call[1];
  if (a.is_number() && b.is_number()) {
    if (model::ToDouble(b) == 0) return Refuse(ErrorCode::kBadValue, "can't $divide by zero");
    return DivideNumbers(a, b);
  }
  if (IsNullish(a) || IsNullish(b)) return Value::Null();
  return Refuse(ErrorCode::kTypeMismatch,
                fmt::format("$divide only supports numeric types, not {} and {}",
                            BsonTypeName(a.kind()), BsonTypeName(b.kind())));
}

Answer<Value> Mod(const Call& call) {
  const Value& a = call[0];
  const Value& b = call[1];
  if (a.is_number() && b.is_number()) {
    if (model::ToDouble(b) == 0) return Refuse(16610, "can't $mod by zero");
    if (HasDecimal(call)) return Value::Decimal128(model::Modulo(ToDecimal(a), ToDecimal(b)));
    if (a.kind() == Kind::kDouble || b.kind() == Kind::kDouble) {
      return Value::Double(std::fmod(model::ToDouble(a), model::ToDouble(b)));
    }
    const int64_t remainder = b.AsInteger() == -1 ? 0 : a.AsInteger() % b.AsInteger();
    if (a.kind() == Kind::kInt64 || b.kind() == Kind::kInt64) return Value::Int64(remainder);
    return Value::Int32(static_cast<int32_t>(remainder));
  }
  if (IsNullish(a) || IsNullish(b)) return Value::Null();
  return Refuse(16611, fmt::format("$mod only supports numeric types, not {} and {}",
                                   BsonTypeName(a.kind()), BsonTypeName(b.kind())));
}

Answer<Value> RequireNumber(const Call& call, const Value& value) {
  if (IsNullish(value)) return Value::Null();
  if (value.is_number()) return value;
  return Refuse(28765, fmt::format("{} only supports numeric types, not {}", call.name,
                                   BsonTypeName(value.kind())));
}

Answer<Value> Abs(const Call& call) {
  MONGO_ASSIGN(const Value number, RequireNumber(call, call[0]));
  switch (number.kind()) {
    case Kind::kInt32:
    case Kind::kInt64: {
      const int64_t value = number.AsInteger();
      if (value == INT64_MIN) return Refuse(28680, "can't take $abs of long long min");
      const int64_t magnitude = std::abs(value);
      return number.kind() == Kind::kInt64 ? Value::Int64(magnitude) : SmallestInt(magnitude);
    }
    case Kind::kDouble:
      return Value::Double(std::fabs(number.AsDouble()));
    case Kind::kDecimal128: {
      const Decimal128Bits bits = number.AsDecimal128();
      return Value::Decimal128(model::IsNegative(bits) ? model::Negate(bits) : bits);
    }
    default:
      return number;
  }
}

Answer<Value> RoundWhole(const Call& call, DecimalRounding rounding, double (*function)(double)) {
  MONGO_ASSIGN(const Value number, RequireNumber(call, call[0]));
  if (number.kind() == Kind::kDouble) return Value::Double(function(number.AsDouble()));
  if (number.kind() == Kind::kDecimal128) {
    const Decimal128Bits bits = number.AsDecimal128();
    return Value::Decimal128(model::RoundTo(bits, 0, rounding));
  }
  return number;
}

Answer<Value> Ceil(const Call& call) {
  return RoundWhole(call, DecimalRounding::kCeiling, [](double x) { return std::ceil(x); });
}

Answer<Value> Floor(const Call& call) {
  return RoundWhole(call, DecimalRounding::kFloor, [](double x) { return std::floor(x); });
}

constexpr int64_t kPlaceMin = -20;
constexpr int64_t kPlaceMax = 100;

Answer<Value> RoundInteger(const Value& number, int64_t place, DecimalRounding rounding) {
  if (place >= 0) return number;
  if (place < -18) return number.kind() == Kind::kInt64 ? Value::Int64(0) : Value::Int32(0);
  const Decimal128Bits rounded =
      model::RoundTo(ToDecimal(number), static_cast<int32_t>(-place), rounding);
  const std::optional<int64_t> whole = model::TruncateToInt(rounded);
  if (!whole.has_value()) {
    return Refuse(51080, fmt::format("invalid conversion from Decimal128 result in {} resulting "
                                     "from arguments: [{}, {}]",
                                     "$round", number.AsInteger(), place));
  }
  return number.kind() == Kind::kInt64 ? Value::Int64(*whole) : SmallestInt(*whole);
}

Answer<Value> RoundAt(const Call& call, DecimalRounding rounding) {
  if (!call[0].is_number() && !IsNullish(call[0])) {
    return Refuse(51081, fmt::format("{} only supports numeric types, not {}", call.name,
                                     BsonTypeName(call[0].kind())));
  }
  MONGO_ASSIGN(const Value number, RequireNumber(call, call[0]));
  if (number.is_null()) return number;
  int64_t place = 0;
  if (call.size() > 1) {
    if (IsNullish(call[1])) return Value::Null();
    if (!call[1].is_number()) {
      return Refuse(16004, fmt::format("can't convert from BSON type {} to long",
                                       BsonTypeName(call[1].kind())));
    }
    const double digits = model::ToDouble(call[1]);
    if (std::isfinite(digits) && !TruncatedInt64(call[1]).has_value()) {
      return Refuse(31109,
                    fmt::format("Can't coerce out of range value {} to long", PrintBson(call[1])));
    }
    const std::optional<int64_t> given = ExactInt64(call[1]);
    if (!given.has_value()) {
      return Refuse(51082,
                    fmt::format("precision argument to  {} must be a integral value", call.name));
    }
    if (*given < kPlaceMin || *given > kPlaceMax) {
      return Refuse(51083, fmt::format("cannot apply {} with precision value {} value must be in "
                                       "[-20, 100]",
                                       call.name, *given));
    }
    place = *given;
  }
  switch (number.kind()) {
    case Kind::kDouble: {
      const double value = number.AsDouble();
      if (place == 0) {
        return Value::Double(rounding == DecimalRounding::kHalfEven ? std::nearbyint(value)
                                                                    : std::trunc(value));
      }
      if (!std::isfinite(value)) return number;
      const Decimal128Bits rounded = model::RoundTo(model::Decimal128FromDouble(value),
                                                    static_cast<int32_t>(-place), rounding);
      return Value::Double(model::ToDouble(Value::Decimal128(rounded)));
    }
    case Kind::kDecimal128:
      return Value::Decimal128(
          model::RoundTo(number.AsDecimal128(), static_cast<int32_t>(-place), rounding));
    default:
      return RoundInteger(number, place, rounding);
  }
}

Answer<Value> Round(const Call& call) { return RoundAt(call, DecimalRounding::kHalfEven); }
Answer<Value> Trunc(const Call& call) { return RoundAt(call, DecimalRounding::kTowardZero); }

enum class BitOperation : uint8_t { kAnd, kOr, kXor };

Answer<Value> CombineBits(const Call& call, BitOperation operation, int64_t start) {
  int64_t result = start;
  bool is_long = false;
  for (const Value& value : call.arguments) {
    if (IsNullish(value)) return Value::Null();
    if (value.kind() != Kind::kInt32 && value.kind() != Kind::kInt64) {
      return Refuse(ErrorCode::kTypeMismatch,
                    fmt::format("{} only supports int and long operands.", call.name));
    }
    is_long = is_long || value.kind() == Kind::kInt64;
    const int64_t bits = value.AsInteger();
    result = operation == BitOperation::kAnd  ? result & bits
             : operation == BitOperation::kOr ? result | bits
                                              : result ^ bits;
  }
  return is_long ? Value::Int64(result) : Value::Int32(static_cast<int32_t>(result));
}

Answer<Value> BitAnd(const Call& call) { return CombineBits(call, BitOperation::kAnd, -1); }
Answer<Value> BitOr(const Call& call) { return CombineBits(call, BitOperation::kOr, 0); }
Answer<Value> BitXor(const Call& call) { return CombineBits(call, BitOperation::kXor, 0); }

Answer<Value> BitNot(const Call& call) {
  const Value& value = call[0];
  if (IsNullish(value)) return Value::Null();
  if (value.kind() == Kind::kInt32) {
    return Value::Int32(~static_cast<int32_t>(value.AsInteger()));
  }
  if (value.kind() == Kind::kInt64) return Value::Int64(~value.AsInteger());
  return Refuse(28765, fmt::format("$bitNot only supports int and long, not: {}.",
                                   BsonTypeName(value.kind())));
}

constexpr ListOperator kArithmeticOperators[] = {
    {"$add", 0, kAnyArguments, AddAll, true, nullptr, NullStop::kEach},
    {"$subtract", 2, 2, Subtract},
    {"$multiply", 0, kAnyArguments, MultiplyAll, true, nullptr, NullStop::kEach},
    {"$divide", 2, 2, DivideTwo},
    {"$mod", 2, 2, Mod},
    {"$abs", 1, 1, Abs},
    {"$ceil", 1, 1, Ceil},
    {"$floor", 1, 1, Floor},
    {"$round", 1, 2, Round, true, nullptr, NullStop::kEach},
    {"$trunc", 1, 2, Trunc, true, nullptr, NullStop::kEach},
    {"$bitAnd", 0, kAnyArguments, BitAnd},
    {"$bitOr", 0, kAnyArguments, BitOr},
    {"$bitXor", 0, kAnyArguments, BitXor},
    {"$bitNot", 1, 1, BitNot},
};

}  // namespace

std::span<const ListOperator> ArithmeticOperators() { return kArithmeticOperators; }

}  // namespace orrery::mongo
