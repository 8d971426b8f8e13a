#include "api/cassandra/types/compare.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "api/cassandra/types/collection_codec.h"
#include "api/cassandra/types/native/decimal.h"
#include "api/cassandra/types/native/fixed_size.h"
#include "api/cassandra/types/native/timeuuid.h"
#include "api/cassandra/types/type_builder.h"

namespace orrery::cassandra {
namespace {

using namespace testing;
using namespace std::literals;

// Each value below the ones after it.
void ExpectRising(const TypePtr& type, const std::vector<std::string>& values) {
  for (size_t i = 0; i < values.size(); ++i) {
    for (size_t j = 0; j < values.size(); ++j)
      EXPECT_EQ(Compare(*type, values[i], values[j]), i <=> j)
          << type->CqlName() << " " << i << " " << j;
  }
}

TEST(CompareTest, Numbers) {
  ExpectRising(Int(), {"", EncodeInteger(int32_t{-5}), EncodeInteger(int32_t{0}),
                       EncodeInteger(int32_t{7})});
  ExpectRising(Native(TypeKind::kTinyint), {"\x80", "\xff", "\0"s, "\x7f"});
  ExpectRising(Native(TypeKind::kTimestamp),
               {"", EncodeInteger(int64_t{-1}), EncodeInteger(int64_t{1})});
  ExpectRising(Native(TypeKind::kBoolean), {"", "\0"s, "\5"});
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  ExpectRising(Native(TypeKind::kDouble),
               {"", EncodeDouble(-kInfinity), EncodeDouble(-1), EncodeDouble(-0.0),
                EncodeDouble(0.0), EncodeDouble(1), EncodeDouble(kInfinity),
                EncodeDouble(std::numeric_limits<double>::quiet_NaN())});
  EXPECT_TRUE(Equal(*Native(TypeKind::kFloat), "\x7f\xc0\0\0"s, "\xff\xc0\0\1"s));
}

TEST(CompareTest, BigNumbers) {
  std::vector<std::string> varints = {""};
  for (const char* text : {"-300000000000000000000", "-129", "-128", "-1", "0", "1", "127", "128",
                           "300000000000000000000"})
    varints.push_back(ParseVarint(text).value());
  ExpectRising(Native(TypeKind::kVarint), varints);
  EXPECT_TRUE(Equal(*Native(TypeKind::kVarint), "\0\0\1"s, "\1"));

  std::vector<std::string> decimals = {""};
  for (const char* text :
       {"-1E+2147483647", "-1000", "-1.5", "-1.49", "-1E-2147483647", "0", "1E-2147483647", "0.99",
        "1", "1.001", "9.99E+2", "1E+3", "1001", "1E+2147483647"})
    decimals.push_back(ParseDecimal(text).value());
  ExpectRising(Native(TypeKind::kDecimal), decimals);
  EXPECT_TRUE(Equal(*Native(TypeKind::kDecimal), *ParseDecimal("1.0"), *ParseDecimal("1.00")));
  EXPECT_TRUE(Equal(*Native(TypeKind::kDecimal), *ParseDecimal("1E+3"), *ParseDecimal("1000")));
  EXPECT_TRUE(Equal(*Native(TypeKind::kDecimal), *ParseDecimal("0"), *ParseDecimal("0.00")));
}

TEST(CompareTest, HugeDecimalsCompareWithoutTheirDigits) {
  const std::string large = EncodeDecimal(3, "\1" + std::string(100'000, '\0'));
  const std::string larger = EncodeDecimal(2, "\1" + std::string(100'000, '\0'));
  ExpectRising(Native(TypeKind::kDecimal), {large, larger});
}

TEST(CompareTest, Uuids) {
  const auto uuid = [](const char* text) { return ParseUuid(text).value(); };
  ExpectRising(
      Native(TypeKind::kUuid),
      {"", uuid("ffffffff-0000-1000-0000-000000000000"),
       uuid("00000000-0001-1000-0000-000000000000"), uuid("00000000-0001-1000-8000-000000000000"),
       uuid("00000000-0000-4000-0000-000000000000"), uuid("10000000-0000-4000-0000-000000000000")});
  // The last eight bytes of a timeuuid compare as signed bytes.
  ExpectRising(Native(TypeKind::kTimeuuid), {"", uuid("ffffffff-0000-1000-0000-000000000000"),
                                             uuid("00000000-0001-1000-8080-000000000000"),
                                             uuid("00000000-0001-1000-807f-000000000000"),
                                             uuid("00000000-0001-1000-0000-000000000000"),
                                             MinTimeUuid(0), MaxTimeUuid(0), MinTimeUuid(1)});
}

TEST(CompareTest, ByBytes) {
  ExpectRising(Text(), {"", "a", "a\0"s, "ab", "b", "\xc3\xa9"});
  ExpectRising(Native(TypeKind::kInet),
               {"", "\1\2\3\4", "\1\2\3\4\0\0\0\0\0\0\0\0\0\0\0\0"s, "\xff\2\3\4"});
  ExpectRising(Native(TypeKind::kDate), {"\0\0\0\0"s, "\x7f\0\0\0"s, "\x80\0\0\0"s});
}

TEST(CompareTest, Collections) {
  const std::string one = EncodeInteger(int32_t{1});
  const std::string minus = EncodeInteger(int32_t{-1});
  ExpectRising(ListOf(Int()),
               {PackElements(Views{}), PackElements(Views{""}), PackElements(Views{minus, one}),
                PackElements(Views{one}), PackElements(Views{one, minus})});
  const auto map = [](std::vector<EntryView> entries) { return PackEntries(entries); };
  ExpectRising(MapOf(Text(), Int()), {"", map({}), map({{"a", minus}}), map({{"a", one}}),
                                      map({{"a", one}, {"b", minus}}), map({{"b", minus}})});
  ExpectRising(VectorOf(Int(), 2), {minus + one, one + minus, one + one});
}

TEST(CompareTest, TuplesHaveNullFirst) {
  const std::string one = EncodeInteger(int32_t{1});
  const auto tuple = [](std::vector<NullableView> parts) { return PackComponents(parts); };
  for (const TypePtr& type : {TupleOf({Int(), Text()}), Udt("t", {"a", "b"}, {Int(), Text()})}) {
    ExpectRising(
        type, {"", tuple({std::nullopt, std::nullopt}), tuple({std::nullopt, ""}), tuple({"", "a"}),
               tuple({one, std::nullopt}), tuple({one, ""}), tuple({one, "a"})});
    EXPECT_TRUE(Equal(*type, tuple({one}), tuple({one, std::nullopt})));
  }
}

TEST(CompareTest, BytesThatAreNoValueAreHarmless) {
  for (const TypePtr& type :
       {Int(), Native(TypeKind::kUuid), Native(TypeKind::kDecimal), ListOf(Int()),
        MapOf(Int(), Int()), TupleOf({Int()}), VectorOf(Int(), 2)}) {
    EXPECT_EQ(Compare(*type, "ab", "ac"), std::weak_ordering::less) << type->CqlName();
  }
}

}  // namespace
}  // namespace orrery::cassandra
