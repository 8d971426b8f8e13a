#include "model/compare.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string_view>

#include "base/bytes.h"
#include "model/number/big_number.h"
#include "model/number/exact_number.h"
#include "model/number/number.h"
#include "model/type_class.h"

namespace orrery::model {
namespace {

std::weak_ordering CompareBytes(std::string_view a, std::string_view b) {
  return a.compare(b) <=> 0;  // char_traits<char> compares as unsigned bytes
}

template <size_t N>
std::weak_ordering CompareBytes(const std::array<uint8_t, N>& a, const std::array<uint8_t, N>& b) {
  return std::memcmp(a.data(), b.data(), N) <=> 0;
}

std::weak_ordering CompareSqlNumbers(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(b) <=> std::isnan(a);
  return a < b   ? std::weak_ordering::less
         : a > b ? std::weak_ordering::greater
                 : std::weak_ordering::equivalent;
}

// As Java's Double.compare: -0.0 before 0.0, all NaN equal and last.
std::weak_ordering CompareCqlDoubles(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) <=> std::isnan(b);
  if (a == 0 && b == 0) return std::signbit(b) <=> std::signbit(a);
  return CompareSqlNumbers(a, b);
}

std::weak_ordering CompareMongoNumbers(const Value& a, const Value& b) {
  const auto is_integer = [](Kind kind) { return kind >= Kind::kInt8 && kind <= Kind::kInt64; };
  if (is_integer(a.kind()) && is_integer(b.kind())) return a.AsInteger() <=> b.AsInteger();
  return ToExactNumber(a) <=> ToExactNumber(b);
}

std::weak_ordering CompareDecimals(const DecimalView& a, const DecimalView& b) {
  const ScientificDecimal x = ToScientific(a);
  const ScientificDecimal y = ToScientific(b);
  if (x.sign != y.sign) return x.sign <=> y.sign;
  const ScientificDecimal& low = x.sign < 0 ? y : x;
  const ScientificDecimal& high = x.sign < 0 ? x : y;
  if (low.exponent != high.exponent) return low.exponent <=> high.exponent;
  return CompareBytes(low.digits, high.digits);
}

struct BinaryView {
  uint8_t subtype;
  std::string_view bytes;
};

BinaryView AsBinary(const Value& value) {
  if (value.kind() == Kind::kBinary) return {value.binary_subtype(), value.AsBytes()};
  const UuidBytes& bytes = value.AsUuid();
  return {4, {reinterpret_cast<const char*>(bytes.data()), bytes.size()}};
}

std::weak_ordering CompareBinary(BinaryView a, BinaryView b) {
  if (a.bytes.size() != b.bytes.size()) return a.bytes.size() <=> b.bytes.size();
  if (a.subtype != b.subtype) return a.subtype <=> b.subtype;
  return CompareBytes(a.bytes, b.bytes);
}

// A version 1 UUID has its time as low, middle, high: bytes 0-3, 4-5, 6-7.
uint64_t UuidTime(const UuidBytes& uuid) {
  const auto* bytes = reinterpret_cast<const char*>(uuid.data());
  return uint64_t{LoadBigEndian<uint16_t>(bytes + 6)} << 48 |
         uint64_t{LoadBigEndian<uint16_t>(bytes + 4)} << 32 | LoadBigEndian<uint32_t>(bytes);
}

std::weak_ordering CompareUuids(const UuidBytes& a, const UuidBytes& b) {
  const int version = a[6] >> 4;
  if (version != b[6] >> 4) return version <=> (b[6] >> 4);
  if (version == 1 && UuidTime(a) != UuidTime(b)) return UuidTime(a) <=> UuidTime(b);
  return CompareBytes(a, b);
}

std::weak_ordering CompareTimeUuids(const UuidBytes& a, const UuidBytes& b) {
  if (UuidTime(a) != UuidTime(b)) return UuidTime(a) <=> UuidTime(b);
  for (size_t i = 8; i < a.size(); ++i) {
    if (a[i] != b[i]) return static_cast<int8_t>(a[i]) <=> static_cast<int8_t>(b[i]);
  }
  return std::weak_ordering::equivalent;
}

std::weak_ordering CompareTimestamps(BsonTimestamp a, BsonTimestamp b) {
  if (a.seconds != b.seconds) return a.seconds <=> b.seconds;
  return a.increment <=> b.increment;
}

std::weak_ordering CompareDurations(DurationParts a, DurationParts b) {
  if (a.months != b.months) return a.months <=> b.months;
  if (a.days != b.days) return a.days <=> b.days;
  return a.nanoseconds <=> b.nanoseconds;
}

std::weak_ordering CompareRegexes(RegexView a, RegexView b) {
  if (const auto c = CompareBytes(a.pattern, b.pattern); c != 0) return c;
  return CompareBytes(a.options, b.options);
}

std::weak_ordering CompareDbPointers(const DbPointerView& a, const DbPointerView& b) {
  if (a.collection.size() != b.collection.size())
    return a.collection.size() <=> b.collection.size();
  if (const auto c = CompareBytes(a.collection, b.collection); c != 0) return c;
  return CompareBytes(a.id, b.id);
}

std::weak_ordering CompareSameClass(const Value& a, const Value& b, TypeClass type, Order order);

std::weak_ordering CompareFields(const Fields& a, const Fields& b, Order order) {
  for (size_t i = 0; i < a.size() && i < b.size(); ++i) {
    const TypeClass type = ClassOf(a[i].value.kind(), order);
    const TypeClass other = ClassOf(b[i].value.kind(), order);
    if (type != other) return type <=> other;
    if (const auto c = CompareBytes(a[i].name, b[i].name); c != 0) return c;
    if (const auto c = CompareSameClass(a[i].value, b[i].value, type, order); c != 0) return c;
  }
  return a.size() <=> b.size();
}

std::weak_ordering CompareElements(const Values& a, const Values& b, Order order) {
  for (size_t i = 0; i < a.size() && i < b.size(); ++i) {
    if (const auto c = Compare(a[i], b[i], order); c != 0) return c;
  }
  return a.size() <=> b.size();
}

std::weak_ordering CompareEntries(const MapEntries& a, const MapEntries& b, Order order) {
  for (size_t i = 0; i < a.size() && i < b.size(); ++i) {
    if (const auto c = Compare(a[i].key, b[i].key, order); c != 0) return c;
    if (const auto c = Compare(a[i].value, b[i].value, order); c != 0) return c;
  }
  return a.size() <=> b.size();
}

std::weak_ordering CompareSameClass(const Value& a, const Value& b, TypeClass type, Order order) {
  switch (type) {
    case TypeClass::kEnd:
    case TypeClass::kMinKey:
    case TypeClass::kUndefined:
    case TypeClass::kNull:
    case TypeClass::kMaxKey:
      return std::weak_ordering::equivalent;
    case TypeClass::kBool:
    case TypeClass::kMongoBool:
      return a.AsBool() <=> b.AsBool();
    case TypeClass::kDoubleNumber:
      return CompareSqlNumbers(ToDouble(a), ToDouble(b));
    case TypeClass::kExactNumber:
    case TypeClass::kDecimal128:
      return CompareMongoNumbers(a, b);
    case TypeClass::kInt8:
    case TypeClass::kInt16:
    case TypeClass::kInt32:
    case TypeClass::kInt64:
      return a.AsInteger() <=> b.AsInteger();
    case TypeClass::kVarint:
      return BigIntFromBytes(a.AsBytes()).compare(BigIntFromBytes(b.AsBytes())) <=> 0;
    case TypeClass::kFloat:
    case TypeClass::kDouble:
      return CompareCqlDoubles(a.AsDouble(), b.AsDouble());
    case TypeClass::kDecimal:
      return CompareDecimals(a.AsDecimal(), b.AsDecimal());
    case TypeClass::kString:
    case TypeClass::kAscii:
    case TypeClass::kJavaScript:
      return CompareBytes(a.AsString(), b.AsString());
    case TypeClass::kArray:
    case TypeClass::kMongoArray:
    case TypeClass::kSet:
      return CompareElements(a.AsValues(), b.AsValues(), order);
    case TypeClass::kObject:
      return CompareFields(a.AsFields(), b.AsFields(), order);
    case TypeClass::kMap:
      return CompareEntries(a.AsEntries(), b.AsEntries(), order);
    case TypeClass::kBlob:
    case TypeClass::kInet:
      return CompareBytes(a.AsBytes(), b.AsBytes());
    case TypeClass::kBinary:
      return CompareBinary(AsBinary(a), AsBinary(b));
    case TypeClass::kUuid:
      return CompareUuids(a.AsUuid(), b.AsUuid());
    case TypeClass::kTimeUuid:
      return CompareTimeUuids(a.AsUuid(), b.AsUuid());
    case TypeClass::kObjectId:
      return CompareBytes(a.AsObjectId(), b.AsObjectId());
    case TypeClass::kDateTime:
      return a.AsDateTime() <=> b.AsDateTime();
    case TypeClass::kTimestamp:
      return CompareTimestamps(a.AsTimestamp(), b.AsTimestamp());
    case TypeClass::kRegex:
      return CompareRegexes(a.AsRegex(), b.AsRegex());
    case TypeClass::kDbPointer:
      return CompareDbPointers(a.AsDbPointer(), b.AsDbPointer());
    case TypeClass::kJavaScriptWithScope: {
      const ScopedCodeView x = a.AsScopedCode();
      const ScopedCodeView y = b.AsScopedCode();
      if (const auto c = CompareBytes(x.code, y.code); c != 0) return c;
      return CompareFields(x.scope, y.scope, order);
    }
    case TypeClass::kDate:
      return a.AsDate() <=> b.AsDate();
    case TypeClass::kTime:
      return a.AsTime() <=> b.AsTime();
    case TypeClass::kDuration:
      return CompareDurations(a.AsDuration(), b.AsDuration());
  }
  return std::weak_ordering::equivalent;
}

}  // namespace

std::weak_ordering Compare(const Value& a, const Value& b, Order order) {
  const TypeClass type = ClassOf(a.kind(), order);
  const TypeClass other = ClassOf(b.kind(), order);
  if (type != other) return type <=> other;
  return CompareSameClass(a, b, type, order);
}

}  // namespace orrery::model
