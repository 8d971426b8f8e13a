#include "model/key/key_codec.h"

#include <gtest/gtest.h>

#include "model/document/json.h"
#include "model/value_generator.h"

namespace orrery::model {
namespace {

constexpr uint64_t kKeySeed = 20240607;
constexpr Order kOrders[] = {Order::kSql, Order::kMongo, Order::kCql};

std::string Key(const Value& value, Order order, Direction direction = Direction::kAscending) {
  std::string key;
  AppendKey(key, value, order, direction);
  return key;
}

int Sign(std::weak_ordering order) { return order < 0 ? -1 : order > 0 ? 1 : 0; }
int Sign(int order) { return order < 0 ? -1 : order > 0 ? 1 : 0; }

// On failure both values and keys say more than a boolean.
void ExpectSameOrder(const Value& a, const Value& b, Order order) {
  const int expected = Sign(Compare(a, b, order));
  const std::string x = Key(a, order);
  const std::string y = Key(b, order);
  ASSERT_EQ(Sign(x.compare(y)), expected)
      << ToJson(a) << " (" << KindName(a.kind()) << ") " << ToHex(x) << "\n"
      << ToJson(b) << " (" << KindName(b.kind()) << ") " << ToHex(y) << "\nseed " << kKeySeed;
  ASSERT_EQ(
      Sign(Key(a, order, Direction::kDescending).compare(Key(b, order, Direction::kDescending))),
      -expected);
  // Neither may be a proper prefix of the other: what follows in a tuple would decide.
  if (expected != 0) {
    ASSERT_FALSE(x.starts_with(y) || y.starts_with(x)) << ToHex(x) << " " << ToHex(y);
  }
}

TEST(KeyCodecTest, ByteOrderIsValueOrder) {
  for (const Order order : kOrders) {
    ValueGenerator generate(kKeySeed);
    for (int i = 0; i < 5000; ++i) {
      ExpectSameOrder(generate.Any(), generate.Any(), order);
      if (HasFatalFailure()) return;
    }
  }
}

TEST(KeyCodecTest, ByteOrderIsValueOrderWithinEachKind) {
  for (const Order order : kOrders) {
    ValueGenerator generate(kKeySeed + 1);
    for (int kind = 0; kind <= static_cast<int>(Kind::kMap); ++kind) {
      for (int i = 0; i < 300; ++i) {
        const Value a = generate.Of(static_cast<Kind>(kind));
        ExpectSameOrder(a, generate.Of(static_cast<Kind>(kind)), order);
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST(KeyCodecTest, ReadsBackAnEquivalentValueBothWays) {
  for (const Order order : kOrders) {
    for (const Direction direction : {Direction::kAscending, Direction::kDescending}) {
      ValueGenerator generate(kKeySeed + 2);
      for (int i = 0; i < 2000; ++i) {
        const Value value = generate.Any();
        const std::string key = Key(value, order, direction);
        const std::string followed = key + "rest";
        ByteReader reader(followed);
        const Result<Value> back = ReadKey(reader, direction);
        ASSERT_TRUE(back.has_value()) << ToJson(value) << " " << ToHex(key) << " seed " << kKeySeed;
        ASSERT_EQ(reader.rest(), "rest");
        ASSERT_TRUE(Equivalent(*back, value, order))
            << ToJson(value) << " became " << ToJson(*back);
        ASSERT_EQ(Key(*back, order, direction), key);
      }
    }
  }
}

TEST(KeyCodecTest, CqlValuesComeBackAsTheyWere) {
  ValueGenerator generate(kKeySeed + 3);
  for (const Kind kind :
       {Kind::kInt8, Kind::kInt16, Kind::kInt32, Kind::kInt64, Kind::kVarint, Kind::kString,
        Kind::kAscii, Kind::kUuid, Kind::kTimeUuid, Kind::kDateTime, Kind::kDate, Kind::kTime,
        Kind::kDuration, Kind::kInet, Kind::kBool}) {
    for (int i = 0; i < 300; ++i) {
      const Value value = generate.Of(kind);
      const Result<Values> back = DecodeKey(Key(value, Order::kCql));
      ASSERT_TRUE(back.has_value());
      ASSERT_EQ(back->front(), value) << KindName(kind);
    }
  }
}

TEST(KeyCodecTest, TuplesCompareComponentByComponent) {
  for (const Order order : kOrders) {
    ValueGenerator generate(kKeySeed + 4);
    for (int i = 0; i < 5000; ++i) {
      const Values a = {generate.Of(Kind::kString), generate.Any()};
      const Values b = {generate.Below(2) == 0 ? a[0] : generate.Of(Kind::kString), generate.Any()};
      std::weak_ordering expected = Compare(a[0], b[0], order);
      if (expected == 0) expected = Compare(a[1], b[1], order);
      ASSERT_EQ(Sign(EncodeKey(a, order).compare(EncodeKey(b, order))), Sign(expected));
    }
  }
}

TEST(KeyCodecTest, EqualNumbersOfAllBsonTypesHaveOneKey) {
  Decimal128Bits one_point_zero;
  ASSERT_TRUE(PackDecimal128(false, BigDecimal{10, -1}, one_point_zero));
  const std::string key = Key(Value::Int32(1), Order::kMongo);
  EXPECT_EQ(Key(Value::Int64(1), Order::kMongo), key);
  EXPECT_EQ(Key(Value::Double(1), Order::kMongo), key);
  EXPECT_EQ(Key(Value::Decimal128(one_point_zero), Order::kMongo), key);
}

// The example of docs/format/keys.md.
TEST(KeyCodecTest, WorkedExample) {
  std::string key;
  AppendKey(key, Value::String(std::string("a\0b", 3)), Order::kMongo);
  AppendKey(key, Value::Int32(-5), Order::kMongo);
  AppendKey(key, Value::Array({Value::Bool(true)}), Order::kMongo);
  AppendKey(key, Value::String("z"), Order::kMongo, Direction::kDescending);
  EXPECT_EQ(ToHex(key),
            "306100ff620001"
            "18027ffdbf"
            "40580100"
            "cf85fffe");
}

TEST(KeyCodecTest, MalformedBytesAreCorruption) {
  for (const char* hex : {"00",                      // an end without a beginning
                          "02",                      // no such class
                          "1002",                    // neither false nor true
                          "30616200",                // text without its end
                          "30610002",                // an unknown escape
                          "38",                      // an array without its end
                          "3830",                    // half an element
                          "140000",                  // half a double
                          "1804800001",              // more bits announced, none there
                          "18048000",                // no fraction
                          "1806",                    // no such sign
                          "240100000002007f",        // a varint with a byte too many
                          "27027fffffffffffffff00",  // a decimal without digits
                          "4c0000000500aa"}) {
    std::string bytes;
    ASSERT_TRUE(FromHex(hex, bytes));
    ByteReader reader(bytes);
    const Result<Value> value = ReadKey(reader);
    ASSERT_FALSE(value.has_value()) << hex;
    EXPECT_EQ(value.error().code(), Code::kCorruption) << hex;
    EXPECT_EQ(reader.rest(), bytes);
  }
  ByteReader empty{std::string_view()};
  EXPECT_FALSE(ReadKey(empty).has_value());
  EXPECT_TRUE(DecodeKey("").has_value());
}

TEST(KeyCodecTest, EveryTruncationIsRefused) {
  ValueGenerator generate(kKeySeed + 5);
  for (int i = 0; i < 500; ++i) {
    const std::string key = Key(generate.Any(), Order::kMongo);
    for (size_t size = 0; size < key.size(); ++size) {
      ByteReader reader(std::string_view(key).substr(0, size));
      ASSERT_FALSE(ReadKey(reader).has_value()) << ToHex(key) << " cut at " << size;
    }
  }
}

TEST(KeyCodecTest, DepthIsLimited) {
  const std::string deep(kKeyDepthMax + 1, static_cast<char>(0x38));
  ByteReader reader(deep);
  EXPECT_FALSE(ReadKey(reader).has_value());
  Value nested = Value::Array({});
  for (int i = 1; i < kKeyDepthMax; ++i) nested = Value::Array({nested});
  const std::string key = Key(nested, Order::kSql);
  ByteReader good(key);
  EXPECT_TRUE(ReadKey(good).has_value());
}

}  // namespace
}  // namespace orrery::model
