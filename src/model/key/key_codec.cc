#include "model/key/key_codec.h"

#include <bit>
#include <cmath>
#include <limits>

#include "base/check.h"
#include "model/number/big_number.h"
#include "model/number/exact_number.h"
#include "model/number/number.h"
#include "model/type_class.h"

namespace orrery::model {
namespace {

void Complement(std::string& out, size_t from) {
  for (size_t i = from; i < out.size(); ++i) out[i] = static_cast<char>(~out[i]);
}

template <typename Signed>
void AppendSigned(std::string& out, Signed value) {
  using Unsigned = std::make_unsigned_t<Signed>;
  constexpr Unsigned kSign = Unsigned{1} << (8 * sizeof(Signed) - 1);
  AppendBigEndian(out, static_cast<Unsigned>(static_cast<Unsigned>(value) ^ kSign));
}

template <typename Bits>
void AppendIeee(std::string& out, Bits bits) {
  constexpr Bits kSign = Bits{1} << (8 * sizeof(Bits) - 1);
  AppendBigEndian(out,
                  (bits & kSign) != 0 ? static_cast<Bits>(~bits) : static_cast<Bits>(bits | kSign));
}

// SQL: one zero, and NaN before everything (a negative NaN has the lowest bits).
void AppendSqlNumber(std::string& out, double value) {
  if (value == 0) value = 0;
  uint64_t bits = std::bit_cast<uint64_t>(value);
  if (std::isnan(value)) bits = UINT64_MAX;
  AppendIeee(out, bits);
}

// CQL: two zeros, and one NaN after everything.
template <typename Bits, typename Real>
void AppendCqlReal(std::string& out, Real value) {
  if (std::isnan(value)) value = std::numeric_limits<Real>::quiet_NaN();
  AppendIeee(out, std::bit_cast<Bits>(value));
}

void AppendText(std::string& out, std::string_view text) {
  size_t start = 0;
  for (size_t zero = text.find('\0'); zero != std::string_view::npos;
       zero = text.find('\0', start)) {
    out.append(text, start, zero + 1 - start);
    out.push_back('\xff');
    start = zero + 1;
  }
  out.append(text, start);
  out.append("\x00\x01", 2);
}

void AppendVarintBody(std::string& out, const std::string& bytes) {
  const bool negative = (static_cast<uint8_t>(bytes[0]) & 0x80) != 0;
  const auto size = static_cast<uint32_t>(bytes.size());
  out.push_back(negative ? '\x00' : '\x01');
  AppendBigEndian(out, negative ? ~size : size);
  out.append(bytes);
}

void AppendDecimalBody(std::string& out, const DecimalView& decimal) {
  const ScientificDecimal number = ToScientific(decimal);
  out.push_back(static_cast<char>(number.sign + 1));
  if (number.sign == 0) return;
  const size_t start = out.size();
  AppendSigned(out, number.exponent);
  for (size_t i = 0; i < number.digits.size(); i += 2) {
    const int tens = number.digits[i] - '0';
    const int ones = i + 1 < number.digits.size() ? number.digits[i + 1] - '0' : 0;
    out.push_back(static_cast<char>(tens * 10 + ones + 1));
  }
  out.push_back('\0');
  if (number.sign < 0) Complement(out, start);
}

void AppendSized(std::string& out, std::string_view bytes) {
  AppendBigEndian(out, static_cast<uint32_t>(bytes.size()));
  out.append(bytes);
}

template <size_t N>
void AppendArrayBytes(std::string& out, const std::array<uint8_t, N>& bytes) {
  out.append(reinterpret_cast<const char*>(bytes.data()), N);
}

// Bytes 6-7, 4-5, 0-3: the time of a version 1 UUID with its highest part first.
void AppendUuidTime(std::string& out, const UuidBytes& uuid) {
  const auto* bytes = reinterpret_cast<const char*>(uuid.data());
  out.append(bytes + 6, 2).append(bytes + 4, 2).append(bytes, 4);
}

void AppendUuidBody(std::string& out, const UuidBytes& uuid) {
  const auto version = static_cast<uint8_t>(uuid[6] >> 4);
  out.push_back(static_cast<char>(version));
  if (version != 1) {
    AppendArrayBytes(out, uuid);
    return;
  }
  AppendUuidTime(out, uuid);
  out.append(reinterpret_cast<const char*>(uuid.data()) + 8, 8);
}

void AppendTimeUuidBody(std::string& out, const UuidBytes& uuid) {
  AppendUuidTime(out, uuid);
  for (size_t i = 8; i < uuid.size(); ++i) out.push_back(static_cast<char>(uuid[i] ^ 0x80));
}

void AppendBinaryBody(std::string& out, const Value& value) {
  std::string_view bytes;
  uint8_t subtype = 4;
  if (value.kind() == Kind::kBinary) {
    bytes = value.AsBytes();
    subtype = value.binary_subtype();
  } else {
    const UuidBytes& uuid = value.AsUuid();
    bytes = {reinterpret_cast<const char*>(uuid.data()), uuid.size()};
  }
  AppendBigEndian(out, static_cast<uint32_t>(bytes.size()));
  out.push_back(static_cast<char>(subtype));
  out.append(bytes);
}

void AppendBody(std::string& out, const Value& value, TypeClass type, Order order, int depth);

void AppendComponent(std::string& out, const Value& value, Order order, int depth) {
  ORRERY_CHECK(depth <= kKeyDepthMax);
  const TypeClass type = ClassOf(value.kind(), order);
  out.push_back(static_cast<char>(type));
  AppendBody(out, value, type, order, depth);
}

void AppendFields(std::string& out, const Fields& fields, Order order, int depth) {
  ORRERY_CHECK(depth <= kKeyDepthMax);
  for (const Field& field : fields) {
    const TypeClass type = ClassOf(field.value.kind(), order);
    out.push_back(static_cast<char>(type));
    AppendText(out, field.name);
    AppendBody(out, field.value, type, order, depth);
  }
  out.push_back(static_cast<char>(TypeClass::kEnd));
}

void AppendBody(std::string& out, const Value& value, TypeClass type, Order order, int depth) {
  switch (type) {
    case TypeClass::kEnd:
    case TypeClass::kMinKey:
    case TypeClass::kUndefined:
    case TypeClass::kNull:
    case TypeClass::kMaxKey:
      return;
    case TypeClass::kBool:
    case TypeClass::kMongoBool:
      out.push_back(value.AsBool() ? '\x01' : '\x00');
      return;
    case TypeClass::kDoubleNumber:
      return AppendSqlNumber(out, ToDouble(value));
    case TypeClass::kExactNumber:
    case TypeClass::kDecimal128:
      return AppendExactNumber(out, ToExactNumber(value));
    case TypeClass::kInt8:
      return AppendSigned(out, static_cast<int8_t>(value.AsInteger()));
    case TypeClass::kInt16:
      return AppendSigned(out, static_cast<int16_t>(value.AsInteger()));
    case TypeClass::kInt32:
      return AppendSigned(out, static_cast<int32_t>(value.AsInteger()));
    case TypeClass::kInt64:
      return AppendSigned(out, value.AsInteger());
    case TypeClass::kVarint:
      return AppendVarintBody(out, value.AsBytes());
    case TypeClass::kFloat:
      return AppendCqlReal<uint32_t>(out, static_cast<float>(value.AsDouble()));
    case TypeClass::kDouble:
      return AppendCqlReal<uint64_t>(out, value.AsDouble());
    case TypeClass::kDecimal:
      return AppendDecimalBody(out, value.AsDecimal());
    case TypeClass::kString:
    case TypeClass::kAscii:
    case TypeClass::kJavaScript:
      return AppendText(out, value.AsString());
    case TypeClass::kArray:
    case TypeClass::kMongoArray:
    case TypeClass::kSet:
      for (const Value& element : value.AsValues()) AppendComponent(out, element, order, depth + 1);
      out.push_back(static_cast<char>(TypeClass::kEnd));
      return;
    case TypeClass::kMap:
      for (const MapEntry& entry : value.AsEntries()) {
        AppendComponent(out, entry.key, order, depth + 1);
        AppendComponent(out, entry.value, order, depth + 1);
      }
      out.push_back(static_cast<char>(TypeClass::kEnd));
      return;
    case TypeClass::kObject:
      return AppendFields(out, value.AsFields(), order, depth + 1);
    case TypeClass::kBlob:
    case TypeClass::kInet:
      return AppendText(out, value.AsBytes());
    case TypeClass::kBinary:
      return AppendBinaryBody(out, value);
    case TypeClass::kUuid:
      return AppendUuidBody(out, value.AsUuid());
    case TypeClass::kTimeUuid:
      return AppendTimeUuidBody(out, value.AsUuid());
    case TypeClass::kObjectId:
      return AppendArrayBytes(out, value.AsObjectId());
    case TypeClass::kDateTime:
      return AppendSigned(out, value.AsDateTime());
    case TypeClass::kTimestamp:
      AppendBigEndian(out, value.AsTimestamp().seconds);
      AppendBigEndian(out, value.AsTimestamp().increment);
      return;
    case TypeClass::kRegex:
      AppendText(out, value.AsRegex().pattern);
      AppendText(out, value.AsRegex().options);
      return;
    case TypeClass::kDbPointer:
      AppendSized(out, value.AsDbPointer().collection);
      AppendArrayBytes(out, value.AsDbPointer().id);
      return;
    case TypeClass::kJavaScriptWithScope:
      AppendText(out, value.AsScopedCode().code);
      return AppendFields(out, value.AsScopedCode().scope, order, depth + 1);
    case TypeClass::kDate:
      AppendBigEndian(out, value.AsDate());
      return;
    case TypeClass::kTime:
      return AppendSigned(out, value.AsTime());
    case TypeClass::kDuration:
      AppendSigned(out, value.AsDuration().months);
      AppendSigned(out, value.AsDuration().days);
      AppendSigned(out, value.AsDuration().nanoseconds);
      return;
  }
}

}  // namespace

void AppendKey(std::string& out, const Value& value, Order order, Direction direction) {
  const size_t start = out.size();
  AppendComponent(out, value, order, /*depth=*/1);
  if (direction == Direction::kDescending) Complement(out, start);
}

std::string EncodeKey(std::span<const Value> values, Order order) {
  std::string out;
  for (const Value& value : values) AppendKey(out, value, order);
  return out;
}

}  // namespace orrery::model
