#include "api/cassandra/types/arithmetic.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <type_traits>

#include "api/cassandra/types/invalid_value.h"
#include "api/cassandra/types/native/date_time.h"
#include "api/cassandra/types/native/decimal.h"
#include "api/cassandra/types/native/duration.h"
#include "api/cassandra/types/native/fixed_size.h"

namespace orrery::cassandra {
namespace {

constexpr int kUnlimited = 1'000;  // the width of varint and decimal

// 0 when the type is no number.
int Width(TypeKind kind) {
  switch (kind) {
    case TypeKind::kTinyint:
      return 1;
    case TypeKind::kSmallint:
      return 2;
    case TypeKind::kInt:
    case TypeKind::kFloat:
      return 4;
    case TypeKind::kBigint:
    case TypeKind::kCounter:
    case TypeKind::kDouble:
      return 8;
    case TypeKind::kVarint:
    case TypeKind::kDecimal:
      return kUnlimited;
    default:
      return 0;
  }
}

bool IsReal(TypeKind kind) {
  return kind == TypeKind::kFloat || kind == TypeKind::kDouble || kind == TypeKind::kDecimal;
}

TypeKind NumericResult(TypeKind left, TypeKind right) {
  const int width = std::max(Width(left), Width(right));
  if (IsReal(left) || IsReal(right)) {
    if (width == 4) return TypeKind::kFloat;
    return width == 8 ? TypeKind::kDouble : TypeKind::kDecimal;
  }
  switch (width) {
    case 1:
      return TypeKind::kTinyint;
    case 2:
      return TypeKind::kSmallint;
    case 4:
      return TypeKind::kInt;
    case 8:
      return TypeKind::kBigint;
    default:
      return TypeKind::kVarint;
  }
}

bool IsTemporal(Operator op, TypeKind left, TypeKind right) {
  return (op == Operator::kAdd || op == Operator::kSubtract) && right == TypeKind::kDuration &&
         (left == TypeKind::kTimestamp || left == TypeKind::kDate);
}

bool IsString(TypeKind kind) { return kind == TypeKind::kAscii || kind == TypeKind::kText; }

// REQUIRES: a whole number of at most 8 bytes.
int64_t ToInt64(TypeKind kind, std::string_view bytes) {
  switch (Width(kind)) {
    case 1:
      return DecodeInteger<int8_t>(bytes);
    case 2:
      return DecodeInteger<int16_t>(bytes);
    case 4:
      return DecodeInteger<int32_t>(bytes);
    default:
      return DecodeInteger<int64_t>(bytes);
  }
}

// REQUIRES: a number of at most 8 bytes.
double ToDouble(TypeKind kind, std::string_view bytes) {
  if (kind == TypeKind::kDouble) return DecodeDouble(bytes);
  if (kind == TypeKind::kFloat) return DecodeFloat(bytes);
  return static_cast<double>(ToInt64(kind, bytes));
}

std::string ToVarint(TypeKind kind, std::string_view bytes) {
  return kind == TypeKind::kVarint ? std::string(bytes) : EncodeVarint(ToInt64(kind, bytes));
}

// Cassandra goes through a double here, which shows in the scale (1 becomes 1.0); beyond what a
// double holds exactly the digits count for more.
Result<std::string> ToDecimal(TypeKind kind, std::string_view bytes) {
  constexpr int64_t kExactMax = int64_t{1} << 53;
  if (kind == TypeKind::kDecimal) return std::string(bytes);
  if (kind == TypeKind::kVarint) return EncodeDecimal(0, bytes);
  if (!IsReal(kind)) {
    const int64_t number = ToInt64(kind, bytes);
    if (number < -kExactMax || number > kExactMax) return EncodeDecimal(0, EncodeVarint(number));
  }
  return DecimalFromDouble(ToDouble(kind, bytes));
}

// Wraps around. Computed unsigned, where that is defined.
template <typename Integer>
Result<std::string> ComputeInteger(Operator op, int64_t left, int64_t right) {
  const auto a = static_cast<uint64_t>(left);
  const auto b = static_cast<uint64_t>(right);
  uint64_t result = 0;
  switch (op) {
    case Operator::kAdd:
      result = a + b;
      break;
    case Operator::kSubtract:
      result = a - b;
      break;
    case Operator::kMultiply:
      result = a * b;
      break;
    case Operator::kDivide:
    case Operator::kModulo:
      if (right == 0) return InvalidValue("/ by zero");
      // The lowest number divided by -1 has no room for its result.
      if (right == -1) {
        result = op == Operator::kDivide ? -a : 0;
      } else {
        result = static_cast<uint64_t>(op == Operator::kDivide ? left / right : left % right);
      }
      break;
  }
  return EncodeInteger(static_cast<Integer>(result));
}

template <typename Real>
Real ComputeReal(Operator op, Real left, Real right) {
  switch (op) {
    case Operator::kAdd:
      return left + right;
    case Operator::kSubtract:
      return left - right;
    case Operator::kMultiply:
      return left * right;
    case Operator::kDivide:
      return left / right;
    case Operator::kModulo:
      return std::fmod(left, right);
  }
  return 0;
}

Result<std::string> ComputeNumber(Operator op, TypeKind left_kind, std::string_view left,
                                  TypeKind right_kind, std::string_view right) {
  const auto integers = [&]<typename Integer>(Integer) {
    return ComputeInteger<Integer>(op, ToInt64(left_kind, left), ToInt64(right_kind, right));
  };
  switch (NumericResult(left_kind, right_kind)) {
    case TypeKind::kTinyint:
      return integers(int8_t{});
    case TypeKind::kSmallint:
      return integers(int16_t{});
    case TypeKind::kInt:
      return integers(int32_t{});
    case TypeKind::kBigint:
      return integers(int64_t{});
    case TypeKind::kFloat:
      return EncodeFloat(ComputeReal(op, static_cast<float>(ToDouble(left_kind, left)),
                                     static_cast<float>(ToDouble(right_kind, right))));
    case TypeKind::kDouble:
      return EncodeDouble(ComputeReal(op, ToDouble(left_kind, left), ToDouble(right_kind, right)));
    case TypeKind::kVarint:
      return ComputeVarint(op, ToVarint(left_kind, left), ToVarint(right_kind, right));
    default: {
      ORRERY_ASSIGN(const std::string a, ToDecimal(left_kind, left));
      ORRERY_ASSIGN(const std::string b, ToDecimal(right_kind, right));
      return ComputeDecimal(op, a, b);
    }
  }
}

Result<std::string> MoveInTime(Operator op, TypeKind kind, std::string_view bytes,
                               std::string_view duration_bytes) {
  constexpr int64_t kNanosPerMilli = 1'000'000;
  ORRERY_ASSIGN(const Duration duration, DecodeDuration(duration_bytes));
  const bool is_date = kind == TypeKind::kDate;
  if (is_date ? duration.nanoseconds != 0 : duration.nanoseconds % kNanosPerMilli != 0) {
    return InvalidValue(fmt::format("The duration must have a {} precision. Was: {}",
                                    is_date ? "day" : "millisecond", DurationText(duration)));
  }
  const int64_t from =
      is_date ? TimestampOfDate(DecodeInteger<uint32_t>(bytes)) : DecodeInteger<int64_t>(bytes);
  ORRERY_ASSIGN(const int64_t moved, op == Operator::kAdd ? AddDuration(from, duration)
                                                          : SubtractDuration(from, duration));
  if (!is_date) return EncodeInteger(moved);
  const auto date = DateOfTimestamp(moved);
  if (!date.has_value()) return InvalidValue("the result is out of the range of dates");
  return EncodeInteger(*date);
}

Result<std::string> ComputeBytes(Operator op, TypeKind left_kind, std::string_view left,
                                 TypeKind right_kind, std::string_view right) {
  if (IsTemporal(op, left_kind, right_kind)) return MoveInTime(op, left_kind, left, right);
  if (IsString(left_kind)) return std::string(left).append(right);
  return ComputeNumber(op, left_kind, left, right_kind, right);
}

}  // namespace

char OperatorSymbol(Operator op) {
  constexpr std::string_view kSymbols = "+-*/%";
  return kSymbols[static_cast<size_t>(op)];
}

bool IsNumeric(const Type& type) { return Width(type.kind()) != 0; }

Result<TypePtr> ArithmeticType(Operator op, const Type& left, const Type& right) {
  if (IsNumeric(left) && IsNumeric(right))
    return Type::Native(NumericResult(left.kind(), right.kind()));
  if (IsTemporal(op, left.kind(), right.kind())) return Type::Native(left.kind());
  if (op == Operator::kAdd && IsString(left.kind()) && IsString(right.kind())) {
    const bool ascii = left.kind() == TypeKind::kAscii && right.kind() == TypeKind::kAscii;
    return Type::Native(ascii ? TypeKind::kAscii : TypeKind::kText);
  }
  return InvalidValue(fmt::format("the '{}' operation is not supported between {} and {}",
                                  OperatorSymbol(op), left.CqlName(), right.CqlName()));
}

Result<std::optional<std::string>> Compute(Operator op, const Type& left_type, NullableBytes left,
                                           const Type& right_type, NullableBytes right) {
  if (!left.has_value() || left->empty() || !right.has_value() || right->empty())
    return std::nullopt;
  Result<std::string> result = ComputeBytes(op, left_type.kind(), *left, right_type.kind(), *right);
  if (result.has_value()) return *std::move(result);
  return InvalidValue(fmt::format("the operation '{} {} {}' failed: {}", left_type.CqlName(),
                                  OperatorSymbol(op), right_type.CqlName(),
                                  result.error().message()));
}

Result<std::optional<std::string>> Negate(const Type& type, NullableBytes value) {
  if (!value.has_value() || value->empty()) return std::nullopt;
  const TypeKind kind = type.kind();
  switch (kind) {
    case TypeKind::kFloat:
      return EncodeFloat(-DecodeFloat(*value));
    case TypeKind::kDouble:
      return EncodeDouble(-DecodeDouble(*value));
    case TypeKind::kVarint:
      return NegateVarint(*value);
    case TypeKind::kDecimal:
      return NegateDecimal(*value);
    default:
      return ComputeNumber(Operator::kSubtract, kind, std::string(value->size(), '\0'), kind,
                           *value);
  }
}

}  // namespace orrery::cassandra
