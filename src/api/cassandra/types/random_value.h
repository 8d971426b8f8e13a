// Random types and valid values of them for property tests, chosen so that equal, nearly equal and
// extreme ones are common. Included by tests only.
#pragma once

#include <cstdint>
#include <iterator>
#include <limits>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "api/cassandra/types/collection_codec.h"
#include "api/cassandra/types/native/date_time.h"
#include "api/cassandra/types/native/decimal.h"
#include "api/cassandra/types/native/duration.h"
#include "api/cassandra/types/native/fixed_size.h"
#include "api/cassandra/types/type_builder.h"
#include "api/cassandra/types/validate.h"

namespace orrery::cassandra::testing {

class RandomValue {
 public:
  explicit RandomValue(uint64_t seed) : random_(seed) {}

  uint64_t Below(uint64_t limit) { return random_() % limit; }

  // Any type but those that collections do not take as keys, so that all of them nest freely.
  TypePtr AnyType(int depth) {
    switch (depth == 0 ? 0 : Below(8)) {
      case 1:
        return ListOf(AnyType(depth - 1));
      case 2:
        return SetOf(AnyType(depth - 1));
      case 3:
        return MapOf(AnyType(depth - 1), AnyType(depth - 1));
      case 4:
        return TupleOf({AnyType(depth - 1), AnyType(depth - 1), AnyType(depth - 1)});
      case 5:
        return Udt("pair", {"a", "B"}, {AnyType(depth - 1), AnyType(depth - 1)});
      case 6:
        return VectorOf(AnyType(depth - 1), 2);
      default:
        return AnyNative();
    }
  }

  TypePtr AnyNative() {
    while (true) {
      const auto kind = static_cast<TypeKind>(Below(static_cast<uint64_t>(TypeKind::kList)));
      if (kind != TypeKind::kCounter && kind != TypeKind::kDuration && kind != TypeKind::kEmpty)
        return Type::Native(kind);
    }
  }

  // One in ten values is the empty one where the type has it.
  std::string Of(const Type& type, bool may_be_empty = true) {
    if (may_be_empty && AllowsEmpty(type) && Below(10) == 0) return "";
    switch (type.kind()) {
      case TypeKind::kAscii:
        return Letters({"a", "b", "\x01", std::string(1, '\0')});
      case TypeKind::kText:
        return Letters({"a", "b", "\xc3\xa9", "\"", "'", std::string(1, '\0')});
      case TypeKind::kBlob:
      case TypeKind::kCustom:
        return Letters({std::string(1, '\0'), "\x01", "\x7f", "\x80", "\xff"});
      case TypeKind::kBoolean:
        return EncodeBoolean(Below(2) != 0);
      case TypeKind::kTinyint:
        return EncodeInteger(static_cast<int8_t>(Integer()));
      case TypeKind::kSmallint:
        return EncodeInteger(static_cast<int16_t>(Integer()));
      case TypeKind::kInt:
        return EncodeInteger(static_cast<int32_t>(Integer()));
      case TypeKind::kBigint:
      case TypeKind::kCounter:
      case TypeKind::kTimestamp:
        return EncodeInteger(Integer());
      case TypeKind::kDate:
        return EncodeInteger(static_cast<uint32_t>(Integer() + kDateEpoch));
      case TypeKind::kTime:
        return EncodeInteger(static_cast<int64_t>(static_cast<uint64_t>(Integer()) %
                                                  static_cast<uint64_t>(kNanosPerDay)));
      case TypeKind::kVarint:
        return Varint();
      case TypeKind::kDecimal:
        return EncodeDecimal(static_cast<int32_t>(Below(9)) - 4, Varint());
      case TypeKind::kFloat:
        return EncodeFloat(static_cast<float>(Real()));
      case TypeKind::kDouble:
        return EncodeDouble(Real());
      case TypeKind::kDuration:
        return EncodeDuration({static_cast<int32_t>(Below(30)), static_cast<int32_t>(Below(3)),
                               static_cast<int64_t>(Below(1'000'000'000'000))});
      case TypeKind::kEmpty:
        return "";
      case TypeKind::kInet:
        return std::string(Below(2) == 0 ? 4 : 16, static_cast<char>(1 + Below(3)));
      case TypeKind::kUuid:
        return Uuid(Below(2) == 0 ? 1 : 4);
      case TypeKind::kTimeuuid:
        return Uuid(1);
      case TypeKind::kList:
        return PackElements(AsViews(Some(type.element(), Below(4))));
      case TypeKind::kSet:
        return Normalise(type, PackElements(AsViews(Some(type.element(), Below(4))))).value();
      case TypeKind::kVector:
        return PackVector(type, AsViews(Some(type.element(), type.dimension(), false)));
      case TypeKind::kMap:
        return Map(type);
      case TypeKind::kTuple:
      case TypeKind::kUdt:
        return Components(type);
    }
    return "";
  }

  int64_t Integer() {
    switch (Below(4)) {
      case 0:
        return static_cast<int64_t>(Below(5)) - 2;
      case 1:
        return std::numeric_limits<int64_t>::min() + static_cast<int64_t>(Below(3));
      case 2:
        return std::numeric_limits<int64_t>::max() - static_cast<int64_t>(Below(3));
      default:
        return static_cast<int64_t>(random_()) >> Below(64);
    }
  }

 private:
  double Real() {
    constexpr double kSpecial[] = {0.0,
                                   -0.0,
                                   0.5,
                                   1e30,
                                   -1e30,
                                   std::numeric_limits<double>::infinity(),
                                   -std::numeric_limits<double>::infinity(),
                                   std::numeric_limits<double>::quiet_NaN()};
    if (Below(2) == 0) return kSpecial[Below(std::size(kSpecial))];
    return static_cast<double>(Integer()) / 16;
  }

  // In its shortest form, as keys give it back.
  std::string Varint() {
    std::string bytes;
    for (uint64_t n = 1 + Below(12); n > 0; --n) {
      constexpr char kBytes[] = {'\0', '\x01', '\x7f', '\x80', '\xff', '\x0a'};
      bytes.push_back(kBytes[Below(std::size(kBytes))]);
    }
    return std::string(ShortestVarint(bytes));
  }

  std::string Letters(const std::vector<std::string>& alphabet) {
    std::string text;
    for (uint64_t n = Below(5); n > 0; --n) text += alphabet[Below(alphabet.size())];
    return text;
  }

  std::string Uuid(int version) {
    std::string bytes(16, '\0');
    for (uint64_t n = Below(4); n > 0; --n) bytes[Below(16)] = static_cast<char>(random_());
    bytes[6] = static_cast<char>(version << 4 | (bytes[6] & 0x0f));
    return bytes;
  }

  std::vector<std::string> Some(const Type& type, uint64_t count, bool may_be_empty = true) {
    std::vector<std::string> values;
    for (uint64_t i = 0; i < count; ++i) values.push_back(Of(type, may_be_empty));
    return values;
  }

  std::string Map(const Type& type) {
    const uint64_t count = Below(3);
    const std::vector<std::string> keys = Some(type.key(), count);
    const std::vector<std::string> values = Some(type.value(), count);
    std::vector<EntryView> entries;
    for (uint64_t i = 0; i < count; ++i) entries.push_back({keys[i], values[i]});
    return Normalise(type, PackEntries(entries)).value();
  }

  std::string Components(const Type& type) {
    std::vector<std::optional<std::string>> values;
    for (const TypePtr& part : type.parameters()) {
      values.emplace_back();
      if (Below(4) != 0) values.back() = Of(*part);
    }
    return PackComponents(AsViews(values));
  }

  std::mt19937_64 random_;
};

}  // namespace orrery::cassandra::testing
