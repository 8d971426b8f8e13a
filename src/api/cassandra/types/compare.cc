#include "api/cassandra/types/compare.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "api/cassandra/types/collection_codec.h"
#include "api/cassandra/types/composite.h"
#include "api/cassandra/types/native/decimal.h"
#include "base/bytes.h"

namespace orrery::cassandra {
namespace {

std::weak_ordering CompareBytes(std::string_view a, std::string_view b) {
  return a.compare(b) <=> 0;  // char_traits<char> compares as unsigned bytes
}

template <typename T>
std::weak_ordering CompareIntegers(std::string_view a, std::string_view b) {
  return LoadBigEndian<T>(a.data()) <=> LoadBigEndian<T>(b.data());
}

template <typename Bits, typename Real>
std::weak_ordering CompareReals(std::string_view a, std::string_view b) {
  const auto x = std::bit_cast<Real>(LoadBigEndian<Bits>(a.data()));
  const auto y = std::bit_cast<Real>(LoadBigEndian<Bits>(b.data()));
  if (std::isnan(x) || std::isnan(y)) return std::isnan(x) <=> std::isnan(y);
  if (x == 0 && y == 0) return std::signbit(y) <=> std::signbit(x);
  return x < y   ? std::weak_ordering::less
         : x > y ? std::weak_ordering::greater
                 : std::weak_ordering::equivalent;
}

// The time of a version 1 UUID with its highest part first, version included.
uint64_t UuidTime(std::string_view uuid) {
  const auto high = LoadBigEndian<uint64_t>(uuid.data());
  return high << 48 | ((high << 16) & 0xffff'0000'0000) | high >> 32;
}

std::weak_ordering CompareUuids(std::string_view a, std::string_view b) {
  const int version = static_cast<uint8_t>(a[6]) >> 4;
  const int other = static_cast<uint8_t>(b[6]) >> 4;
  if (version != other) return version <=> other;
  if (version == 1 && UuidTime(a) != UuidTime(b)) return UuidTime(a) <=> UuidTime(b);
  return CompareBytes(a, b);
}

std::weak_ordering CompareTimeUuids(std::string_view a, std::string_view b) {
  if (UuidTime(a) != UuidTime(b)) return UuidTime(a) <=> UuidTime(b);
  for (size_t i = 8; i < 16; ++i) {
    if (a[i] != b[i]) return static_cast<signed char>(a[i]) <=> static_cast<signed char>(b[i]);
  }
  return std::weak_ordering::equivalent;
}

std::weak_ordering CompareSequences(const Type& element, const Views& a, const Views& b) {
  for (size_t i = 0; i < a.size() && i < b.size(); ++i) {
    if (const auto order = Compare(element, a[i], b[i]); order != 0) return order;
  }
  return a.size() <=> b.size();
}

std::weak_ordering CompareMaps(const Type& type, std::string_view a, std::string_view b) {
  const auto x = UnpackEntries(a);
  const auto y = UnpackEntries(b);
  if (!x.has_value() || !y.has_value()) return CompareBytes(a, b);
  for (size_t i = 0; i < x->size() && i < y->size(); ++i) {
    if (const auto order = Compare(type.key(), (*x)[i].key, (*y)[i].key); order != 0) return order;
    if (const auto order = Compare(type.value(), (*x)[i].value, (*y)[i].value); order != 0)
      return order;
  }
  return x->size() <=> y->size();
}

std::weak_ordering CompareComponents(const Type& type, std::string_view a, std::string_view b) {
  const auto x = UnpackComponents(type, a);
  const auto y = UnpackComponents(type, b);
  if (!x.has_value() || !y.has_value()) return CompareBytes(a, b);
  for (size_t i = 0; i < x->size(); ++i) {
    const NullableView& left = (*x)[i];
    const NullableView& right = (*y)[i];
    if (!left.has_value() || !right.has_value()) {
      if (left.has_value() != right.has_value()) return left.has_value() <=> right.has_value();
      continue;
    }
    if (const auto order = Compare(*type.parameters()[i], *left, *right); order != 0) return order;
  }
  return std::weak_ordering::equivalent;
}

std::weak_ordering CompareUnpacked(const Type& type, std::string_view a, std::string_view b) {
  const auto unpack = type.kind() == TypeKind::kVector ? UnpackVector : UnpackElements;
  const auto x = unpack(type, a);
  const auto y = unpack(type, b);
  if (!x.has_value() || !y.has_value()) return CompareBytes(a, b);
  return CompareSequences(type.element(), *x, *y);
}

// The length that values of the scalar types below have when they are not empty; 0 for the others.
size_t ScalarLength(TypeKind kind) {
  switch (kind) {
    case TypeKind::kBoolean:
    case TypeKind::kTinyint:
      return 1;
    case TypeKind::kSmallint:
      return 2;
    case TypeKind::kInt:
    case TypeKind::kFloat:
      return 4;
    case TypeKind::kBigint:
    case TypeKind::kCounter:
    case TypeKind::kTimestamp:
    case TypeKind::kDouble:
      return 8;
    case TypeKind::kUuid:
    case TypeKind::kTimeuuid:
      return 16;
    default:
      return 0;
  }
}

}  // namespace

std::weak_ordering Compare(const Type& type, std::string_view a, std::string_view b) {
  if (a.empty() || b.empty()) return !a.empty() <=> !b.empty();
  const size_t length = ScalarLength(type.kind());
  if (length != 0 && (a.size() != length || b.size() != length)) return CompareBytes(a, b);
  switch (type.kind()) {
    case TypeKind::kBoolean:
      return (a[0] != 0) <=> (b[0] != 0);
    case TypeKind::kTinyint:
      return CompareIntegers<int8_t>(a, b);
    case TypeKind::kSmallint:
      return CompareIntegers<int16_t>(a, b);
    case TypeKind::kInt:
      return CompareIntegers<int32_t>(a, b);
    case TypeKind::kBigint:
    case TypeKind::kCounter:
    case TypeKind::kTimestamp:
      return CompareIntegers<int64_t>(a, b);
    case TypeKind::kFloat:
      return CompareReals<uint32_t, float>(a, b);
    case TypeKind::kDouble:
      return CompareReals<uint64_t, double>(a, b);
    case TypeKind::kVarint:
      return CompareVarints(a, b);
    case TypeKind::kDecimal:
      return CompareDecimals(a, b);
    case TypeKind::kUuid:
      return CompareUuids(a, b);
    case TypeKind::kTimeuuid:
      return CompareTimeUuids(a, b);
    case TypeKind::kList:
    case TypeKind::kSet:
    case TypeKind::kVector:
      return CompareUnpacked(type, a, b);
    case TypeKind::kMap:
      return CompareMaps(type, a, b);
    case TypeKind::kTuple:
    case TypeKind::kUdt:
      return CompareComponents(type, a, b);
    case TypeKind::kCustom:
      if (type.is_composite() || type.is_dynamic_composite()) return CompareComposites(type, a, b);
      return CompareBytes(a, b);
    default:
      return CompareBytes(a, b);
  }
}

}  // namespace orrery::cassandra
