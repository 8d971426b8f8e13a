#include "model/aggregate/exact_sum.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include "model/number/number.h"

namespace orrery::model {
namespace {

__extension__ using Wide = unsigned __int128;

constexpr int kLimbBits = 32;
constexpr int64_t kLimbValues = int64_t{1} << kLimbBits;
constexpr int kLowestBit = -1074;
// A double has 2098 bits from its lowest to its highest; sums of 2^64 of them 64 more.
constexpr size_t kLimbsMax = (2098 + 64) / kLimbBits + 2;
// Each addition changes a limb by less than 2^32, and 2^30 of them by less than an int64 holds.
constexpr uint32_t kUncarriedMax = 1U << 30;

std::unexpected<Error> NoPartialSum() {
  return Fail(Code::kInvalidArgument, "a partial sum is malformed");
}

// Moves what is more than 32 bits of each limb to the next; the last one keeps all of it.
void CarryAll(std::span<int64_t> limbs) {
  for (size_t i = 0; i + 1 < limbs.size(); ++i) {
    const int64_t carry = limbs[i] >> kLimbBits;
    limbs[i] -= carry * kLimbValues;
    limbs[i + 1] += carry;
  }
}

// REQUIRES: carries are done, and the last limb is positive.
double Round(std::span<const int64_t> limbs, size_t first) {
  // Four limbs have 97 bits or more, and a fifth's bits only decide whether a tie is one.
  Wide top = 0;
  size_t taken = 0;
  for (; taken < 4 && taken < limbs.size(); ++taken)
    top = (top << kLimbBits) | static_cast<uint64_t>(limbs[limbs.size() - 1 - taken]);
  const auto rest = limbs.first(limbs.size() - taken);
  if (std::ranges::any_of(rest, [](int64_t limb) { return limb != 0; })) top |= 1;
  const auto exponent = static_cast<int>((first + rest.size()) * kLimbBits) + kLowestBit;
  return std::ldexp(static_cast<double>(top), exponent);
}

}  // namespace

void ExactSum::Cover(size_t first, size_t count) {
  if (limbs_.empty()) first_ = first;
  if (first < first_) {
    limbs_.insert(limbs_.begin(), first_ - first, 0);
    first_ = first;
  }
  if (first + count > first_ + limbs_.size()) limbs_.resize(first + count - first_, 0);
}

void ExactSum::Carry() {
  uncarried_ = 0;
  CarryAll(limbs_);
  while (!limbs_.empty() &&
         (limbs_.back() >= kLimbValues / 2 || limbs_.back() < -kLimbValues / 2)) {
    limbs_.push_back(0);
    CarryAll(std::span(limbs_).last(2));
  }
}

void ExactSum::Add(double number) {
  if (!std::isfinite(number)) {
    has_nan_ = has_nan_ || std::isnan(number);
    has_positive_ = has_positive_ || number > 0;
    has_negative_ = has_negative_ || number < 0;
    return;
  }
  if (number == 0) return;
  const auto bits = std::bit_cast<uint64_t>(number);
  const uint64_t exponent = (bits >> 52) & 0x7ff;
  uint64_t mantissa = bits & ((uint64_t{1} << 52) - 1);
  if (exponent > 0) mantissa |= uint64_t{1} << 52;
  const size_t at = exponent > 0 ? exponent - 1 : 0;  // bits above the lowest
  const size_t limb = at / kLimbBits;
  const auto shifted = static_cast<Wide>(mantissa) << (at % kLimbBits);
  Cover(limb, 3);
  for (size_t i = 0; i < 3; ++i) {
    const auto part = static_cast<int64_t>(static_cast<uint32_t>(shifted >> (i * kLimbBits)));
    limbs_[limb - first_ + i] += number < 0 ? -part : part;
  }
  if (++uncarried_ == kUncarriedMax) Carry();
}

std::vector<int64_t> ExactSum::Normalized() const {
  ExactSum carried = *this;
  carried.Carry();
  std::vector<int64_t> limbs = std::move(carried.limbs_);
  while (!limbs.empty() && limbs.back() == 0) limbs.pop_back();
  return limbs;
}

double ExactSum::Rounded() const {
  if (has_nan_ || (has_positive_ && has_negative_)) return std::numeric_limits<double>::quiet_NaN();
  if (has_positive_) return std::numeric_limits<double>::infinity();
  if (has_negative_) return -std::numeric_limits<double>::infinity();
  std::vector<int64_t> limbs = Normalized();
  if (limbs.empty()) return 0;
  const bool is_negative = limbs.back() < 0;
  if (is_negative) {
    for (int64_t& limb : limbs) limb = -limb;
    CarryAll(limbs);
    while (!limbs.empty() && limbs.back() == 0) limbs.pop_back();
  }
  const double magnitude = Round(limbs, first_);
  return is_negative ? -magnitude : magnitude;
}

Value ExactSum::Partial() const {
  const double rounded = Rounded();
  if (!IsFinite()) return NumberFromDouble(rounded);
  if (std::isfinite(rounded)) {
    ExactSum rest = *this;
    rest.Add(-rounded);
    if (rest.Normalized().empty()) return NumberFromDouble(rounded);
  }
  Values partial = {Value::Int32(static_cast<int32_t>(first_))};
  for (const int64_t limb : Normalized()) partial.push_back(Value::Int64(limb));
  return Value::Array(std::move(partial));
}

Status ExactSum::Merge(const Value& partial) {
  if (partial.is_number()) {
    Add(ToDouble(partial));
    return {};
  }
  if (partial.kind() != Kind::kArray) return NoPartialSum();
  const Values& parts = partial.AsValues();
  const auto is_integer = [](const Value& value) {
    return value.kind() == Kind::kInt32 || value.kind() == Kind::kInt64;
  };
  if (parts.size() < 2 || parts.size() > kLimbsMax + 1 || !std::ranges::all_of(parts, is_integer))
    return NoPartialSum();
  const int64_t first = parts.front().AsInteger();
  const size_t count = parts.size() - 1;
  if (first < 0 || static_cast<size_t>(first) + count > kLimbsMax) return NoPartialSum();
  const auto limbs = std::span(parts).subspan(1);
  const auto is_limb = [](const Value& limb) {
    return limb.AsInteger() < kLimbValues && limb.AsInteger() > -kLimbValues;
  };
  if (!std::ranges::all_of(limbs, is_limb)) return NoPartialSum();
  Cover(static_cast<size_t>(first), count);
  for (size_t i = 0; i < count; ++i)
    limbs_[static_cast<size_t>(first) - first_ + i] += limbs[i].AsInteger();
  if (++uncarried_ == kUncarriedMax) Carry();
  return {};
}

}  // namespace orrery::model
