#include "model/value_text.h"

#include <arpa/inet.h>
#include <bson/bson.h>
#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <cmath>

#include "base/bytes.h"
#include "model/document/json.h"
#include "model/number/big_number.h"

namespace orrery::model {
namespace {

// As JavaScript writes numbers: plain digits up to 10^21, then with an exponent.
template <typename Real>
std::string FormatReal(Real number) {
  if (std::isnan(number)) return "NaN";
  if (std::isinf(number)) return number < 0 ? "-Infinity" : "Infinity";
  if (number == 0) return "0";
  char buffer[64];
  const double magnitude = std::fabs(static_cast<double>(number));
  const bool plain = magnitude >= 1e-6 && magnitude < 1e21;
  const auto format = plain ? std::chars_format::fixed : std::chars_format::scientific;
  const auto result = std::to_chars(buffer, buffer + sizeof(buffer), number, format);
  return std::string(buffer, result.ptr);
}

std::string FormatDate(uint32_t days) {
  using namespace std::chrono;
  const int64_t since_epoch = static_cast<int64_t>(days) - (int64_t{1} << 31);
  const year_month_day date{sys_days{std::chrono::days{since_epoch}}};
  // The calendar counts years to 32767; CQL dates reach millions. Days tell those.
  if (!date.ok() || since_epoch < -12'000'000 || since_epoch > 11'000'000) {
    return std::to_string(since_epoch);
  }
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
}

std::string FormatTime(int64_t nanoseconds) {
  const int64_t seconds = nanoseconds / 1'000'000'000;
  return fmt::format("{:02}:{:02}:{:02}.{:09}", seconds / 3600, seconds / 60 % 60, seconds % 60,
                     nanoseconds % 1'000'000'000);
}

std::string FormatDuration(DurationParts parts) {
  return fmt::format("{}mo{}d{}ns", parts.months, parts.days, parts.nanoseconds);
}

std::string FormatInet(const std::string& address) {
  char buffer[INET6_ADDRSTRLEN];
  const int family = address.size() == 4 ? AF_INET : AF_INET6;
  return inet_ntop(family, address.data(), buffer, sizeof(buffer));
}

// Digits with a point, or with an exponent where plain digits would be mostly zeros.
std::string FormatDecimal(const DecimalView& decimal) {
  constexpr int32_t kPlainScaleMax = 64;
  const std::string digits = BigIntFromBytes(decimal.unscaled).str();
  if (decimal.scale == 0) return digits;
  if (decimal.scale < 0 || decimal.scale > kPlainScaleMax) {
    return fmt::format("{}E{}", digits, -static_cast<int64_t>(decimal.scale));
  }
  const bool negative = digits[0] == '-';
  std::string magnitude = negative ? digits.substr(1) : digits;
  const auto scale = static_cast<size_t>(decimal.scale);
  if (magnitude.size() <= scale) magnitude.insert(0, scale + 1 - magnitude.size(), '0');
  magnitude.insert(magnitude.size() - scale, 1, '.');
  return negative ? "-" + magnitude : magnitude;
}

}  // namespace

std::string FormatDouble(double number) { return FormatReal(number); }
std::string FormatFloat(float number) { return FormatReal(number); }

std::string FormatDateTime(int64_t unix_ms) {
  using namespace std::chrono;
  const int64_t days_since_epoch =
      unix_ms >= 0 ? unix_ms / 86'400'000 : (unix_ms - 86'399'999) / 86'400'000;
  // Beyond this ISO years need more digits than anyone reads: a plain count is clearer.
  if (days_since_epoch < -12'000'000 || days_since_epoch > 11'000'000)
    return std::to_string(unix_ms);
  const int64_t in_day = unix_ms - days_since_epoch * 86'400'000;
  const year_month_day date{sys_days{days{days_since_epoch}}};
  const int year = static_cast<int>(date.year());
  const std::string year_text =
      year >= 0 && year <= 9999 ? fmt::format("{:04}", year) : fmt::format("{:+07}", year);
  return fmt::format("{}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", year_text,
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     in_day / 3'600'000, in_day / 60'000 % 60, in_day / 1000 % 60, in_day % 1000);
}

std::string FormatUuid(const UuidBytes& uuid) {
  std::string hex = ToHex({reinterpret_cast<const char*>(uuid.data()), uuid.size()});
  for (const size_t at : {20, 16, 12, 8}) hex.insert(at, 1, '-');
  return hex;
}

std::string FormatDecimal128(Decimal128Bits bits) {
  bson_decimal128_t decimal;
  decimal.high = bits.high;
  decimal.low = bits.low;
  char buffer[BSON_DECIMAL128_STRING];
  bson_decimal128_to_string(&decimal, buffer);
  return buffer;
}

std::string ToText(const Value& value) {
  switch (value.kind()) {
    case Kind::kInt8:
    case Kind::kInt16:
    case Kind::kInt32:
    case Kind::kInt64:
      return std::to_string(value.AsInteger());
    case Kind::kVarint:
      return BigIntFromBytes(value.AsBytes()).str();
    case Kind::kFloat:
      return FormatFloat(static_cast<float>(value.AsDouble()));
    case Kind::kDouble:
      return FormatDouble(value.AsDouble());
    case Kind::kDecimal:
      return FormatDecimal(value.AsDecimal());
    case Kind::kDecimal128:
      return FormatDecimal128(value.AsDecimal128());
    case Kind::kString:
    case Kind::kAscii:
    case Kind::kSymbol:
    case Kind::kJavaScript:
      return value.AsString();
    case Kind::kBinary:
      return "0x" + ToHex(value.AsBytes());
    case Kind::kUuid:
    case Kind::kTimeUuid:
      return FormatUuid(value.AsUuid());
    case Kind::kObjectId: {
      const ObjectIdBytes& id = value.AsObjectId();
      return ToHex({reinterpret_cast<const char*>(id.data()), id.size()});
    }
    case Kind::kDateTime:
      return FormatDateTime(value.AsDateTime());
    case Kind::kDate:
      return FormatDate(value.AsDate());
    case Kind::kTime:
      return FormatTime(value.AsTime());
    case Kind::kDuration:
      return FormatDuration(value.AsDuration());
    case Kind::kInet:
      return FormatInet(value.AsBytes());
    default:
      return ToJson(value);
  }
}

}  // namespace orrery::model
