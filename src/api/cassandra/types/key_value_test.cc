#include "api/cassandra/types/key_value.h"

#include <gtest/gtest.h>

#include "api/cassandra/types/compare.h"
#include "api/cassandra/types/random_value.h"
#include "base/bytes.h"
#include "model/key/key_codec.h"

namespace orrery::cassandra {
namespace {

using namespace testing;
using namespace std::literals;

constexpr uint64_t kKeySeed = 20'260'301;

std::string Key(const Type& type, std::string_view bytes, model::Direction direction) {
  std::string key;
  const auto value = ToKeyValue(type, bytes);
  EXPECT_TRUE(value.has_value()) << type.CqlName() << " " << ToHex(bytes);
  if (value.has_value()) model::AppendKey(key, *value, model::Order::kCql, direction);
  return key;
}

std::string FromKey(const Type& type, std::string_view key, model::Direction direction) {
  ByteReader reader(key);
  const auto value = model::ReadKey(reader, direction);
  EXPECT_TRUE(value.has_value() && reader.empty()) << type.CqlName();
  if (!value.has_value()) return "no value";
  const auto bytes = FromKeyValue(type, *value);
  EXPECT_TRUE(bytes.has_value()) << type.CqlName();
  return bytes.value_or("no bytes");
}

bool HoldsDecimal(const Type& type) {
  if (type.kind() == TypeKind::kDecimal) return true;
  for (const TypePtr& part : type.parameters()) {
    if (HoldsDecimal(*part)) return true;
  }
  return false;
}

// The order of keys is the order of values, and keys give the values back.
void CheckType(const TypePtr& type, RandomValue& random, int rounds) {
  using enum model::Direction;
  for (int i = 0; i < rounds; ++i) {
    const std::string a = random.Of(*type);
    const std::string b = random.Of(*type);
    ASSERT_TRUE(Validate(*type, a).has_value()) << type->CqlName();
    const auto order = Compare(*type, a, b);
    ASSERT_EQ(Key(*type, a, kAscending).compare(Key(*type, b, kAscending)) <=> 0, order)
        << type->CqlName() << " " << ToHex(a) << " " << ToHex(b) << " seed " << kKeySeed;
    ASSERT_EQ(Key(*type, b, kDescending).compare(Key(*type, a, kDescending)) <=> 0, order)
        << type->CqlName() << " " << ToHex(a) << " " << ToHex(b) << " seed " << kKeySeed;
    for (const auto direction : {kAscending, kDescending}) {
      const std::string back = FromKey(*type, Key(*type, a, direction), direction);
      if (HoldsDecimal(*type)) {
        ASSERT_TRUE(Equal(*type, back, a)) << type->CqlName() << " " << ToHex(a);
      } else {
        ASSERT_EQ(ToHex(back), ToHex(a)) << type->CqlName() << " seed " << kKeySeed;
      }
    }
  }
}

TEST(KeyValueTest, EveryNativeType) {
  RandomValue random(kKeySeed);
  for (int i = 0; i <= static_cast<int>(TypeKind::kVarint); ++i)
    CheckType(Native(static_cast<TypeKind>(i)), random, 300);
}

TEST(KeyValueTest, NestedTypes) {
  RandomValue random(kKeySeed + 1);
  for (int i = 0; i < 300; ++i) CheckType(random.AnyType(3), random, 20);
}

TEST(KeyValueTest, ValuesThatAreEqualShareAKey) {
  using enum model::Direction;
  const auto decimal = [](const char* text) { return ParseDecimal(text).value(); };
  const TypePtr type = Native(TypeKind::kDecimal);
  EXPECT_EQ(Key(*type, decimal("1.00"), kAscending), Key(*type, decimal("1"), kAscending));
  const TypePtr tuple = TupleOf({Int(), Int()});
  const std::string one = "\0\0\0\4\0\0\0\1"s;
  EXPECT_EQ(Key(*tuple, one, kAscending), Key(*tuple, one + "\xff\xff\xff\xff", kAscending));
  EXPECT_EQ(FromKey(*tuple, Key(*tuple, one, kAscending), kAscending), one + "\xff\xff\xff\xff");
  EXPECT_EQ(FromKey(*Native(TypeKind::kBoolean),
                    Key(*Native(TypeKind::kBoolean), "\x09", kAscending), kAscending),
            "\x01");
}

TEST(KeyValueTest, WholeDecimalsComeBackAsWholeNumbers) {
  const TypePtr type = Native(TypeKind::kDecimal);
  const std::pair<const char*, const char*> kCases[] = {{"100", "100"},
                                                        {"-10.0", "-10"},
                                                        {"1E+3", "1000"},
                                                        {"0.00", "0"},
                                                        {"1.10", "1.1"},
                                                        {"9E+18", "9000000000000000000"},
                                                        {"-9E+18", "-9000000000000000000"},
                                                        {"1E+19", "1E+19"},
                                                        {"100E+40", "1E+42"}};
  for (const auto& [written, read] : kCases) {
    const std::string key = Key(*type, ParseDecimal(written).value(), model::Direction::kAscending);
    EXPECT_EQ(DecimalText(FromKey(*type, key, model::Direction::kAscending)), read) << written;
  }
}

TEST(KeyValueTest, RefusesWhatIsNoValue) {
  EXPECT_EQ(ToKeyValue(*Int(), "abc").error().code(), Code::kInvalidArgument);
  EXPECT_EQ(ToKeyValue(*Native(TypeKind::kSmallint), "").error().code(), Code::kInvalidArgument);
  EXPECT_EQ(ToKeyValue(*ListOf(Int()), "").error().code(), Code::kInvalidArgument);
  EXPECT_FALSE(ToKeyValue(*Native(TypeKind::kDecimal), "\x80\0\0\0\x0a"s).has_value());
}

TEST(KeyValueTest, RefusesKeysOfOtherTypes) {
  using model::Value;
  EXPECT_EQ(FromKeyValue(*Int(), Value::Int64(1)).error().code(), Code::kCorruption);
  EXPECT_EQ(FromKeyValue(*Text(), Value::Undefined()).error().code(), Code::kCorruption);
  EXPECT_EQ(FromKeyValue(*TupleOf({Int()}), Value::Array({Value::Int32(1), Value::Int32(2)}))
                .error()
                .code(),
            Code::kCorruption);
  EXPECT_EQ(FromKeyValue(*VectorOf(Int(), 2), Value::Array({Value::Int32(1)})).error().code(),
            Code::kCorruption);
}

}  // namespace
}  // namespace orrery::cassandra
