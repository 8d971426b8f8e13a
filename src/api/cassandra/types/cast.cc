#include "api/cassandra/types/cast.h"

#include <cmath>
#include <limits>

#include "api/cassandra/types/arithmetic.h"
#include "api/cassandra/types/native/date_time.h"
#include "api/cassandra/types/native/decimal.h"
#include "api/cassandra/types/native/fixed_size.h"
#include "api/cassandra/types/native/real.h"
#include "api/cassandra/types/native/timeuuid.h"
#include "api/cassandra/types/value_text.h"

namespace orrery::cassandra {
namespace {

bool IsTextual(TypeKind kind) { return kind == TypeKind::kAscii || kind == TypeKind::kText; }

bool IsFloating(TypeKind kind) { return kind == TypeKind::kFloat || kind == TypeKind::kDouble; }

double RealValue(TypeKind kind, std::string_view bytes) {
  return kind == TypeKind::kFloat ? DecodeFloat(bytes) : DecodeDouble(bytes);
}

// Java's narrowing of a real: NaN is zero, what is too large the nearest end of the range.
template <typename Integer>
Integer Saturate(double value) {
  if (std::isnan(value)) return 0;
  // 2^31 and 2^63 are doubles, the largest integers below them may not be.
  constexpr auto kLimit = -static_cast<double>(std::numeric_limits<Integer>::min());
  if (value >= kLimit) return std::numeric_limits<Integer>::max();
  if (value < -kLimit) return std::numeric_limits<Integer>::min();
  return static_cast<Integer>(value);
}

// The lowest 64 bits of any number, reals kept within bigint.
Result<int64_t> CastToInt64(TypeKind kind, std::string_view bytes) {
  switch (kind) {
    case TypeKind::kTinyint:
      return DecodeInteger<int8_t>(bytes);
    case TypeKind::kSmallint:
      return DecodeInteger<int16_t>(bytes);
    case TypeKind::kInt:
      return DecodeInteger<int32_t>(bytes);
    case TypeKind::kBigint:
    case TypeKind::kCounter:
      return DecodeInteger<int64_t>(bytes);
    case TypeKind::kVarint:
      return VarintLow64(bytes);
    case TypeKind::kDecimal:
      return DecimalLow64(bytes);
    default:
      return Saturate<int64_t>(RealValue(kind, bytes));
  }
}

// tinyint and smallint take their bits from an int, as Java's byteValue and shortValue do.
Result<int64_t> ToNarrow(TypeKind kind, std::string_view bytes) {
  if (IsFloating(kind)) return Saturate<int32_t>(RealValue(kind, bytes));
  return CastToInt64(kind, bytes);
}

Result<std::string> ToReal(const Type& from, TypeKind to, std::string_view bytes) {
  if (IsFloating(from.kind())) {
    const double value = RealValue(from.kind(), bytes);
    return to == TypeKind::kFloat ? EncodeFloat(static_cast<float>(value)) : EncodeDouble(value);
  }
  // Through the digits, which rounds once only.
  ORRERY_ASSIGN(const std::string digits, ToText(from, bytes));
  return FromText(*Type::Native(to), digits, 0);
}

Result<std::string> CastToDecimal(TypeKind kind, std::string_view bytes) {
  switch (kind) {
    case TypeKind::kVarint:
      return EncodeDecimal(0, bytes);
    case TypeKind::kDouble:
      return DecimalFromDouble(DecodeDouble(bytes));
    case TypeKind::kFloat:
      // The float's own digits: 0.1, not those of the double that equals it.
      if (!std::isfinite(DecodeFloat(bytes))) return DecimalFromDouble(DecodeFloat(bytes));
      return ParseDecimal(FloatText(DecodeFloat(bytes)));
    default: {
      ORRERY_ASSIGN(const int64_t number, CastToInt64(kind, bytes));
      return EncodeDecimal(0, EncodeVarint(number));
    }
  }
}

Result<std::string> CastNumber(const Type& from, TypeKind to, std::string_view bytes) {
  const TypeKind kind = from.kind();
  switch (to) {
    case TypeKind::kTinyint: {
      ORRERY_ASSIGN(const int64_t number, ToNarrow(kind, bytes));
      return EncodeInteger(static_cast<int8_t>(number));
    }
    case TypeKind::kSmallint: {
      ORRERY_ASSIGN(const int64_t number, ToNarrow(kind, bytes));
      return EncodeInteger(static_cast<int16_t>(number));
    }
    case TypeKind::kInt: {
      ORRERY_ASSIGN(const int64_t number, ToNarrow(kind, bytes));
      return EncodeInteger(static_cast<int32_t>(number));
    }
    case TypeKind::kFloat:
    case TypeKind::kDouble:
      return ToReal(from, to, bytes);
    case TypeKind::kDecimal:
      return CastToDecimal(kind, bytes);
    case TypeKind::kVarint: {
      ORRERY_ASSIGN(const int64_t number, CastToInt64(kind, bytes));
      return EncodeVarint(number);
    }
    default: {
      ORRERY_ASSIGN(const int64_t number, CastToInt64(kind, bytes));
      return EncodeInteger(number);
    }
  }
}

Result<std::string> CastTime(TypeKind from, TypeKind to, std::string_view bytes) {
  if (from == TypeKind::kDate)
    return EncodeInteger(TimestampOfDate(DecodeInteger<uint32_t>(bytes)));
  const int64_t unix_ms =
      from == TypeKind::kTimeuuid ? TimeUuidMillis(bytes) : DecodeInteger<int64_t>(bytes);
  if (to == TypeKind::kTimestamp) return EncodeInteger(unix_ms);
  const auto date = DateOfTimestamp(unix_ms);
  if (!date.has_value())
    return Fail(Code::kInvalidArgument, "the timestamp is out of the range of dates");
  return EncodeInteger(*date);
}

}  // namespace

bool CanCast(const Type& from, const Type& to) {
  if (from == to) return true;
  if (IsNumeric(from))
    return IsTextual(to.kind()) || (IsNumeric(to) && to.kind() != TypeKind::kCounter);
  switch (from.kind()) {
    case TypeKind::kAscii:
      return to.kind() == TypeKind::kText;
    case TypeKind::kTimeuuid:
      return IsTextual(to.kind()) || to.kind() == TypeKind::kDate ||
             to.kind() == TypeKind::kTimestamp;
    case TypeKind::kTimestamp:
      return IsTextual(to.kind()) || to.kind() == TypeKind::kDate;
    case TypeKind::kDate:
      return IsTextual(to.kind()) || to.kind() == TypeKind::kTimestamp;
    case TypeKind::kBoolean:
    case TypeKind::kInet:
    case TypeKind::kTime:
    case TypeKind::kUuid:
      return IsTextual(to.kind());
    default:
      return false;
  }
}

Result<std::optional<std::string>> Cast(const Type& from, const Type& to,
                                        std::optional<std::string_view> value) {
  if (!value.has_value()) return std::nullopt;
  if (from == to || from.kind() == TypeKind::kAscii) return std::string(*value);
  if (value->empty()) return std::nullopt;
  if (IsTextual(to.kind())) return ToText(from, *value);
  if (IsNumeric(from)) return CastNumber(from, to.kind(), *value);
  return CastTime(from.kind(), to.kind(), *value);
}

}  // namespace orrery::cassandra
