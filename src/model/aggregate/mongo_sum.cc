#include "model/aggregate/mongo_sum.h"

#include <cmath>
#include <cstdint>
#include <utility>

namespace orrery::model {
namespace {

__extension__ using Whole = __int128;

constexpr int kHalfBits = 64;
// The bits of a whole number that are added as one double, which has 53.
constexpr int kChunkBits = 48;
constexpr int64_t kBillions = 1'000'000'000'000;

std::unexpected<Error> NoMongoPartial() {
  return Fail(Code::kInvalidArgument, "the partial result of a sum is malformed");
}

bool IsWhole(const Value& value) {
  return value.kind() == Kind::kInt64 || value.kind() == Kind::kInt32;
}

// Adds all bits of the number.
void AddWhole(ExactSum& sum, Whole number) {
  for (int at = 0; number != 0 && number != -1; at += kChunkBits) {
    const auto low = static_cast<int64_t>(number & ((Whole{1} << kChunkBits) - 1));
    sum.Add(std::ldexp(static_cast<double>(low), at));
    number >>= kChunkBits;
    // What is left of a negative number, when its bits are taken away from below.
    if (number == -1) sum.Add(-std::ldexp(1.0, at + kChunkBits));
  }
}

ExactSum WithWhole(ExactSum sum, Whole whole) {
  if (whole == -1) {
    sum.Add(-1);
  } else {
    AddWhole(sum, whole);
  }
  return sum;
}

}  // namespace

void MongoSum::Add(const Value& number) {
  switch (number.kind()) {
    case Kind::kDecimal128:
      decimal_ = model::Add(decimal_, number.AsDecimal128());
      has_decimal_ = true;
      return;
    case Kind::kDouble:
      double_.Add(number.AsDouble());
      has_double_ = true;
      return;
    default:
      has_long_ = has_long_ || number.kind() == Kind::kInt64;
      whole_ += number.AsInteger();
  }
}

double MongoSum::AsDouble() const {
  if (!has_double_) return static_cast<double>(whole_);
  return WithWhole(double_, whole_).Rounded();
}

Decimal128Bits MongoSum::WholeDecimal() const {
  // In two halves, as 128 bits do not fit.
  return model::Add(model::Multiply(Decimal128FromInt(static_cast<int64_t>(whole_ / kBillions)),
                                    Decimal128FromInt(kBillions)),
                    Decimal128FromInt(static_cast<int64_t>(whole_ % kBillions)));
}

Value MongoSum::Sum() const {
  if (has_decimal_) {
    if (!has_double_) return Value::Decimal128(model::Add(decimal_, WholeDecimal()));
    // A decimal has room for what a double loses.
    ExactSum rest = WithWhole(double_, whole_);
    const double rounded = rest.Rounded();
    Decimal128Bits sum = Decimal128FromDouble(rounded);
    if (std::isfinite(rounded)) {
      rest.Add(-rounded);
      sum = model::Add(sum, Decimal128FromDouble(rest.Rounded()));
    }
    return Value::Decimal128(model::Add(decimal_, sum));
  }
  if (has_double_) return Value::Double(AsDouble());
  const auto whole = static_cast<int64_t>(whole_);
  if (whole_ != whole) return Value::Double(static_cast<double>(whole_));
  if (!has_long_ && whole == static_cast<int32_t>(whole))
    return Value::Int32(static_cast<int32_t>(whole));
  return Value::Int64(whole);
}

Value MongoSum::Partial() const {
  Fields fields;
  const auto low = static_cast<int64_t>(whole_);
  if (whole_ == low) {
    fields.push_back({"whole", Value::Int64(low)});
  } else {
    fields.push_back(
        {"whole", Value::Array({Value::Int64(static_cast<int64_t>(whole_ >> kHalfBits)),
                                Value::Int64(low)})});
  }
  if (has_long_) fields.push_back({"long", Value::Bool(true)});
  if (has_double_) fields.push_back({"double", double_.Partial()});
  if (has_decimal_) fields.push_back({"decimal", Value::Decimal128(decimal_)});
  return Value::Object(std::move(fields));
}

Status MongoSum::Merge(const Value& partial) {
  if (partial.kind() != Kind::kObject) return NoMongoPartial();
  const Value* const whole = partial.Find("whole");
  if (whole == nullptr) return NoMongoPartial();
  if (IsWhole(*whole)) {
    whole_ += whole->AsInteger();
  } else {
    if (whole->kind() != Kind::kArray || whole->AsValues().size() != 2 ||
        !IsWhole(whole->AsValues()[0]) || !IsWhole(whole->AsValues()[1]))
      return NoMongoPartial();
    const auto high = static_cast<Whole>(whole->AsValues()[0].AsInteger());
    whole_ += high * (Whole{1} << kHalfBits) +
              static_cast<Whole>(static_cast<uint64_t>(whole->AsValues()[1].AsInteger()));
  }
  has_long_ = has_long_ || partial.Find("long") != nullptr;
  if (const Value* const sum = partial.Find("double")) {
    ORRERY_TRY(double_.Merge(*sum));
    has_double_ = true;
  }
  if (const Value* const sum = partial.Find("decimal")) {
    if (sum->kind() != Kind::kDecimal128) return NoMongoPartial();
    decimal_ = model::Add(decimal_, sum->AsDecimal128());
    has_decimal_ = true;
  }
  return {};
}

}  // namespace orrery::model
