#include "api/cassandra/user_function/script_value.h"

#include <gtest/gtest.h>

#include "api/cassandra/types/native/fixed_size.h"
#include "api/cassandra/types/random_value.h"
#include "api/cassandra/types/value_text.h"
#include "api/cassandra/user_function/user_function_fixture_for_test.h"

namespace orrery::cassandra {
namespace {

using testing::Int;
using testing::ListOf;
using testing::MapOf;
using testing::SetOf;
using testing::Text;
using testing::TupleOf;
using testing::Udt;
using testing::VectorOf;

class ScriptValueTest : public UserFunctionTest {
 protected:
  // Returns what a script sees of a value that is written as text.
  std::string Seen(TypeKind kind, std::string_view text) {
    const TypePtr type = Type::Native(kind);
    const std::string bytes = FromText(*type, text, 0).value();
    return Eval(type, bytes, Text(), "Object.prototype.toString.call(x).slice(8, -1) + ' ' + x");
  }
  std::string Given(TypeKind kind, std::string body) {
    const std::string text = Give(Type::Native(kind), std::move(body));
    const size_t failed = text.find("failed: ");
    return failed == std::string::npos ? text : text.substr(failed + 8);
  }
};

TEST_F(ScriptValueTest, WhatScriptsSee) {
  EXPECT_EQ(Seen(TypeKind::kTinyint, "-7"), "'Number -7'");
  EXPECT_EQ(Seen(TypeKind::kBigint, "9007199254740991"), "'Number 9007199254740991'");
  EXPECT_EQ(Seen(TypeKind::kBigint, "9007199254740993"), "'BigInt 9007199254740993'");
  EXPECT_EQ(Seen(TypeKind::kVarint, "-100000000000000000000"), "'BigInt -100000000000000000000'");
  EXPECT_EQ(Seen(TypeKind::kDecimal, "1.50"), "'String 1.50'");
  EXPECT_EQ(Seen(TypeKind::kDouble, "0.5"), "'Number 0.5'");
  EXPECT_EQ(Seen(TypeKind::kBoolean, "true"), "'Boolean true'");
  EXPECT_EQ(Seen(TypeKind::kBlob, "0102"), "'Uint8Array 1,2'");
  EXPECT_EQ(Seen(TypeKind::kDate, "2024-02-29"), "'String 2024-02-29'");
  EXPECT_EQ(Seen(TypeKind::kTime, "01:02:03"), "'String 01:02:03.000000000'");
  EXPECT_EQ(Seen(TypeKind::kDuration, "1mo2d"), "'String 1mo2d'");
  EXPECT_EQ(Seen(TypeKind::kInet, "10.0.0.1"), "'String 10.0.0.1'");
  EXPECT_EQ(Seen(TypeKind::kUuid, "00000000-0000-4000-8000-000000000001"),
            "'String 00000000-0000-4000-8000-000000000001'");
  EXPECT_EQ(Eval(Type::Native(TypeKind::kTimestamp), EncodeInteger(int64_t{1'000}), Text(),
                 "x.toISOString()"),
            "'1970-01-01T00:00:01.000Z'");
}

TEST_F(ScriptValueTest, WhatScriptsMayGive) {
  EXPECT_EQ(Given(TypeKind::kInt, "7.9"), "7");
  EXPECT_EQ(Given(TypeKind::kInt, "-0.5"), "0");
  EXPECT_EQ(Given(TypeKind::kInt, "'12'"), "12");
  EXPECT_EQ(Given(TypeKind::kInt, "12n"), "12");
  EXPECT_EQ(Given(TypeKind::kBigint, "9007199254740993n"), "9007199254740993");
  EXPECT_EQ(Given(TypeKind::kVarint, "10n ** 30n"), "1000000000000000000000000000000");
  EXPECT_EQ(Given(TypeKind::kVarint, "1e21"), "1000000000000000000000");
  EXPECT_EQ(Given(TypeKind::kDecimal, "1.5"), "1.5");
  EXPECT_EQ(Given(TypeKind::kDecimal, "'1.500'"), "1.500");
  EXPECT_EQ(Given(TypeKind::kFloat, "1n"), "1.0");
  EXPECT_EQ(Given(TypeKind::kDouble, "NaN"), "NaN");
  EXPECT_EQ(Given(TypeKind::kTimestamp, "1000"), "'1970-01-01T00:00:01.000Z'");
  EXPECT_EQ(Given(TypeKind::kTimestamp, "new Date(1000)"), "'1970-01-01T00:00:01.000Z'");
  EXPECT_EQ(Given(TypeKind::kTimestamp, "'1970-01-02'"), "'1970-01-02T00:00:00.000Z'");
  EXPECT_EQ(Given(TypeKind::kDate, "new Date(86400000)"), "'1970-01-02'");
  EXPECT_EQ(Given(TypeKind::kBlob, "new Uint8Array([1, 255])"), "0x01ff");
  EXPECT_EQ(Given(TypeKind::kText, "undefined"), "null");
}

TEST_F(ScriptValueTest, WhatDoesNotFitIsAnError) {
  EXPECT_EQ(Given(TypeKind::kInt, "true"), "expected int, but got a boolean");
  EXPECT_EQ(Given(TypeKind::kInt, "1 / 0"), "expected int, but got Infinity");
  EXPECT_EQ(Given(TypeKind::kInt, "''"), "expected int, but got an empty string");
  EXPECT_EQ(Given(TypeKind::kText, "5"), "expected text, but got a number");
  EXPECT_EQ(Given(TypeKind::kBlob, "'x'"), "expected blob, but got a string");
  EXPECT_EQ(Given(TypeKind::kBoolean, "({})"), "expected boolean, but got an object");
  EXPECT_NE(Given(TypeKind::kInt, "3000000000").find("3000000000"), std::string::npos);
  EXPECT_NE(Given(TypeKind::kTinyint, "128"), "128");
  EXPECT_NE(Given(TypeKind::kUuid, "'nonsense'").find("nonsense"), std::string::npos);
  EXPECT_NE(Given(TypeKind::kAscii, "'\\u00e9'"), "'\u00e9'");
}

TEST_F(ScriptValueTest, Collections) {
  EXPECT_EQ(Give(ListOf(Int()), "[3, 1, 3]"), "[3, 1, 3]");
  EXPECT_EQ(Give(SetOf(Int()), "[3, 1, 3]"), "{1, 3}");
  EXPECT_EQ(Give(SetOf(Text()), "new Set(['b', 'a'])"), "{'a', 'b'}");
  EXPECT_EQ(Give(MapOf(Int(), Text()), "new Map([[2, 'b'], [1, 'a']])"), "{1: 'a', 2: 'b'}");
  EXPECT_EQ(Give(MapOf(Int(), Text()), "({2: 'b', 1: 'a'})"), "{1: 'a', 2: 'b'}");
  EXPECT_EQ(Give(TupleOf({Int(), Text()}), "[1]"), "(1, null)");
  EXPECT_EQ(Give(Udt("pair", {"a", "b"}, {Int(), Text()}), "({b: 'x'})"), "{a: null, b: 'x'}");
  EXPECT_EQ(Give(VectorOf(Type::Native(TypeKind::kFloat), 2), "new Float32Array([1, 2])"),
            "[1.0, 2.0]");
  EXPECT_NE(Give(ListOf(Int()), "[1, null]").find("null is not supported inside collections"),
            std::string::npos);
  EXPECT_NE(Give(TupleOf({Int()}), "[1, 2]").find("but got 2 elements"), std::string::npos);
  EXPECT_NE(Give(Udt("pair", {"a"}, {Int()}), "({c: 1})").find("Unknown field 'c'"),
            std::string::npos);
}

TEST_F(ScriptValueTest, CollectionsAreSeenAsTheyAre) {
  const TypePtr map = MapOf(Text(), ListOf(Int()));
  const std::string lists = PackElements(AsViews(std::vector{EncodeInteger(int32_t{4})}));
  const EntryView entry[] = {{"k", lists}};
  EXPECT_EQ(Eval(map, PackEntries(entry), Int(), "x.get('k')[0]"), "4");
  const TypePtr pair = Udt("pair", {"a", "b"}, {Int(), Text()});
  const std::string four = EncodeInteger(int32_t{4});
  const NullableView components[] = {four, std::nullopt};
  EXPECT_EQ(Eval(pair, PackComponents(components), Text(), "JSON.stringify(x)"),
            "'{\"a\":4,\"b\":null}'");
}

// A value that goes in and is given back is the same.
TEST_F(ScriptValueTest, EveryNativeValueComesBack) {
  constexpr uint64_t kSeed = 20'241;
  SCOPED_TRACE(kSeed);
  testing::RandomValue random(kSeed);
  for (int kind = 0; kind < static_cast<int>(TypeKind::kList); ++kind) {
    const TypePtr type = Type::Native(static_cast<TypeKind>(kind));
    if (type->kind() == TypeKind::kEmpty) continue;
    const FunctionPtr identity = Add(Define("f", {"x"}, {type}, type, "x"));
    keyspace_.functions.clear();
    for (int i = 0; i < 50; ++i) {
      const std::string bytes = random.Of(*type, false);
      const auto back = Call(identity, {bytes});
      ASSERT_TRUE(back.has_value()) << type->CqlName() << ": " << back.error().message();
      EXPECT_EQ(*back, bytes) << type->CqlName() << " " << ToText(*type, bytes).value_or("?");
    }
  }
}

}  // namespace
}  // namespace orrery::cassandra
