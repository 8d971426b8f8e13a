#include "api/cassandra/function/math/decimal_rounding.h"

#include "api/cassandra/types/native/decimal.h"
#include "model/number/big_number.h"

namespace orrery::cassandra {
namespace {

using model::BigInt;
using model::PowerOfTen;

// More digits than a number within kBigNumberBytesMax has: all it has are far behind the point.
constexpr int64_t kVanishingScale = 41'000;

enum class Rounding : uint8_t { kDown, kHalfUp, kHalfEven };

// REQUIRES: divisor > 0.
BigInt Divide(const BigInt& dividend, const BigInt& divisor, Rounding rounding) {
  BigInt quotient;
  BigInt remainder;
  boost::multiprecision::divide_qr(BigInt(abs(dividend)), divisor, quotient, remainder);
  remainder *= 2;
  const bool up = rounding != Rounding::kDown &&
                  (remainder > divisor ||
                   (remainder == divisor && (rounding == Rounding::kHalfUp || quotient % 2 != 0)));
  if (up) ++quotient;
  return dividend < 0 ? BigInt(-quotient) : quotient;
}

Status CheckSize(std::string_view bytes) {
  if (bytes.size() <= kBigNumberBytesMax) return {};
  return Fail(Code::kInvalidArgument, "the number is too large");
}

// As a varint.
Result<std::string> ToWhole(std::string_view decimal, Rounding rounding) {
  ORRERY_TRY(CheckSize(decimal));
  const int64_t scale = DecimalScale(decimal);
  const BigInt unscaled = model::BigIntFromBytes(DecimalUnscaled(decimal));
  constexpr auto kScaleMax = static_cast<int64_t>(kBigNumberDigitsMax);
  if (unscaled == 0 || scale == 0) return model::BytesFromBigInt(unscaled);
  if (scale > kVanishingScale) return model::BytesFromBigInt(0);
  if (scale > 0)
    return model::BytesFromBigInt(
        Divide(unscaled, PowerOfTen(static_cast<uint32_t>(scale)), rounding));
  if (scale < -kScaleMax) return Fail(Code::kInvalidArgument, "the number is too large");
  const std::string whole =
      model::BytesFromBigInt(unscaled * PowerOfTen(static_cast<uint32_t>(-scale)));
  ORRERY_TRY(CheckSize(whole));
  return whole;
}

}  // namespace

Result<std::string> RoundDecimal(std::string_view decimal) {
  ORRERY_ASSIGN(const std::string whole, ToWhole(decimal, Rounding::kHalfUp));
  return EncodeDecimal(0, whole);
}

Result<std::string> TruncateDecimal(std::string_view decimal) {
  return ToWhole(decimal, Rounding::kDown);
}

Result<std::string> DivideHalfEven(std::string_view decimal, int64_t divisor) {
  ORRERY_TRY(CheckSize(decimal));
  const BigInt unscaled = model::BigIntFromBytes(DecimalUnscaled(decimal));
  return EncodeDecimal(DecimalScale(decimal),
                       model::BytesFromBigInt(Divide(unscaled, divisor, Rounding::kHalfEven)));
}

}  // namespace orrery::cassandra
