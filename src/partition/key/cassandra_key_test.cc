#include "partition/key/cassandra_key.h"

#include <gtest/gtest.h>

#include "partition/key/partition_key.h"

namespace orrery::partition {
namespace {

using model::Value;
using model::Values;

int64_t TokenOf(const Values& key) {
  const auto position = HashOf(KeyHashing::kCassandra, key);
  return position.has_value() ? CassandraToken(*position) : 0;
}

// Computed by Cassandra's own drivers.
TEST(CassandraKey, Tokens) {
  EXPECT_EQ(TokenOf({Value::Int32(1)}), -4069959284402364209);
  EXPECT_EQ(TokenOf({Value::Int32(-1)}), 7297452126230313552);
  EXPECT_EQ(TokenOf({Value::Int64(42)}), 8623491988607824794);
  EXPECT_EQ(TokenOf({Value::String("test")}), -6017608668500074083);
  EXPECT_EQ(TokenOf({Value::Binary("\xff")}), -4442228696663692417);
}

TEST(CassandraKey, Serialization) {
  const auto hex = [](const Values& key) {
    const auto bytes = SerializeCassandraKey(key);
    return bytes.has_value() ? ToHex(*bytes) : bytes.error().ToString();
  };
  EXPECT_EQ(hex({Value::Bool(true)}), "01");
  EXPECT_EQ(hex({Value::Int8(-2)}), "fe");
  EXPECT_EQ(hex({Value::Int16(258)}), "0102");
  EXPECT_EQ(hex({Value::Float(1.5f)}), "3fc00000");
  EXPECT_EQ(hex({Value::Double(-2)}), "c000000000000000");
  EXPECT_EQ(hex({Value::Decimal(2, "\x7b")}), "000000027b");
  EXPECT_EQ(hex({Value::Varint(std::string("\0\x80", 2))}), "0080");
  EXPECT_EQ(hex({Value::DateTime(1)}), "0000000000000001");
  EXPECT_EQ(hex({Value::Date(0x80000000)}), "80000000");
  EXPECT_EQ(hex({Value::Time(3)}), "0000000000000003");
  EXPECT_EQ(hex({Value::Uuid({0xab})}), "ab000000000000000000000000000000");
  // Several columns: length, bytes, a zero.
  EXPECT_EQ(hex({Value::String("ab"), Value::Int32(7)}),
            "0002616200000400000007"
            "00");
}

TEST(CassandraKey, Errors) {
  const auto code = [](const Values& key) { return SerializeCassandraKey(key).error().code(); };
  EXPECT_EQ(code({}), Code::kInvalidArgument);
  EXPECT_EQ(code({Value::Null()}), Code::kInvalidArgument);
  EXPECT_EQ(code({Value::Duration({})}), Code::kInvalidArgument);
  EXPECT_EQ(code({Value::Set({})}), Code::kUnsupported);
  EXPECT_EQ(code({Value::String(std::string(65'536, 'x'))}), Code::kInvalidArgument);
}

TEST(CassandraKey, RingOrderIsTokenOrder) {
  EXPECT_EQ(CassandraToken(Hash128::Min()), INT64_MIN);
  EXPECT_EQ(CassandraToken(Hash128::Max()), INT64_MAX);
  EXPECT_EQ(CassandraToken({kTokenSignBit, 0}), 0);
  EXPECT_EQ(CassandraPosition(""), Hash128::Min());
  EXPECT_TRUE(RangeOfToken(-1).Precedes(RangeOfToken(0)));
  EXPECT_EQ(RangeOfToken(INT64_MIN).begin(), Hash128::Min());
  EXPECT_TRUE(RangeOfToken(INT64_MAX).reaches_top());
  EXPECT_TRUE(RangeOfToken(-6017608668500074083).Contains(CassandraPosition("test")));
}

}  // namespace
}  // namespace orrery::partition
