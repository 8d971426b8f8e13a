#include "api/cassandra/planner/modification/condition.h"

#include <gtest/gtest.h>

#include "api/cassandra/planner/test_writes.h"
#include "api/cassandra/types/collection_codec.h"
#include "api/cassandra/types/type_builder.h"
#include "api/cassandra/types/values_testing.h"

namespace orrery::cassandra {
namespace {

using testing::BindWrite;
using testing::Bytes;
using testing::Int;
using testing::ListOf;
using testing::MapOf;
using testing::Native;
using testing::Pack;
using testing::SetOf;
using testing::TableBuilder;
using testing::Text;
using testing::Udt;

TablePtr ConditionTable() {
  return TableBuilder()
      .Key("k", Int())
      .Regular("v", Int())
      .Regular("l", ListOf(Int(), Cells::kMulti))
      .Regular("s", SetOf(Int(), Cells::kMulti))
      .Regular("m", MapOf(Text(), Int(), Cells::kMulti))
      .Regular("u", Udt("pair", {"x", "y"}, {Int(), Text()}, Cells::kMulti))
      .Regular("fs", SetOf(Int()))
      .Regular("d", Native(TypeKind::kDuration))
      .Build();
}

class Conditions : public ::testing::Test {
 protected:
  static std::string Statement(const std::string& condition) {
    return "UPDATE ks.t SET v = 0 WHERE k = 1 IF " + condition;
  }
  // Returns whether the condition holds for a column with this value.
  static bool Holds(const std::string& condition, std::optional<std::string> value,
                    std::vector<TermValue> values = {}) {
    const auto write = BindWrite(ConditionTable(), Statement(condition), std::move(values));
    EXPECT_EQ(write.error, "") << condition;
    if (write.bound.conditions.size() != 1) return false;
    const auto holds = write.bound.conditions[0].Holds(
        value.has_value() ? std::optional<std::string_view>(*value) : std::nullopt);
    EXPECT_TRUE(holds.has_value()) << condition;
    return holds.value_or(false);
  }
  static std::string Refused(const std::string& condition) {
    return testing::PlanWrite(ConditionTable(), Statement(condition)).error;
  }
  static std::string RefusedBinding(const std::string& condition, TermValue value) {
    return BindWrite(ConditionTable(), Statement(condition), {std::move(value)}).error;
  }
};

TEST_F(Conditions, CompareByTheColumnsType) {
  EXPECT_TRUE(Holds("v = 5", Bytes(5)));
  EXPECT_FALSE(Holds("v = 5", Bytes(6)));
  EXPECT_TRUE(Holds("v != 5", Bytes(6)));
  EXPECT_TRUE(Holds("v > -1", Bytes(0)));
  EXPECT_FALSE(Holds("v < -1", Bytes(0)));
  EXPECT_TRUE(Holds("v <= 0", Bytes(0)));
  EXPECT_FALSE(Holds("v >= 1", Bytes(0)));
}

TEST_F(Conditions, AnAbsentValueEqualsNullOnly) {
  EXPECT_TRUE(Holds("v = null", std::nullopt));
  EXPECT_FALSE(Holds("v = null", Bytes(1)));
  EXPECT_FALSE(Holds("v = 1", std::nullopt));
  EXPECT_TRUE(Holds("v != 1", std::nullopt));
  EXPECT_TRUE(Holds("v != null", Bytes(1)));
  EXPECT_FALSE(Holds("v != null", std::nullopt));
  EXPECT_FALSE(Holds("v < 1", std::nullopt));
}

TEST_F(Conditions, InNamesSeveral) {
  EXPECT_TRUE(Holds("v IN (1, 2)", Bytes(2)));
  EXPECT_FALSE(Holds("v IN (1, 2)", Bytes(3)));
  EXPECT_FALSE(Holds("v IN ()", Bytes(3)));
  EXPECT_TRUE(Holds("v IN (1, null)", std::nullopt));
  EXPECT_TRUE(Holds("v IN ?", Bytes(2), {TermValue::Of(Pack({Bytes(1), Bytes(2)}))}));
  EXPECT_FALSE(Holds("v IN (?, 1)", Bytes(2), {TermValue::Unset()}));
  EXPECT_TRUE(Holds("v IN (?, 1)", Bytes(1), {TermValue::Unset()}));
}

TEST_F(Conditions, ElementsOfListsAndMaps) {
  const std::string list = Pack({Bytes(7), Bytes(8)});
  EXPECT_TRUE(Holds("l[1] = 8", list));
  EXPECT_FALSE(Holds("l[0] = 8", list));
  EXPECT_TRUE(Holds("l[2] = null", list));
  EXPECT_FALSE(Holds("l[0] = 8", std::nullopt));
  const std::string seven = Bytes(7);
  const std::string map = PackEntries(std::vector<EntryView>{{"a", seven}});
  EXPECT_TRUE(Holds("m['a'] = 7", map));
  EXPECT_TRUE(Holds("m['a'] > 6", map));
  EXPECT_TRUE(Holds("m['b'] = null", map));
}

TEST_F(Conditions, FieldsOfUserTypes) {
  const std::string seven = Bytes(7);
  const std::string value = PackComponents(std::vector<NullableView>{seven, std::nullopt});
  EXPECT_TRUE(Holds("u.x = 7", value));
  EXPECT_TRUE(Holds("u.y = null", value));
  EXPECT_FALSE(Holds("u.y = 'a'", value));
}

TEST_F(Conditions, AnEmptyCollectionOfCellsIsNone) {
  EXPECT_TRUE(Holds("s = null", Pack({})));
  EXPECT_TRUE(Holds("s = {}", std::nullopt));
  EXPECT_FALSE(Holds("s = {}", Pack({Bytes(1)})));
  // A frozen one is a value like any other.
  EXPECT_FALSE(Holds("fs = null", Pack({})));
  EXPECT_TRUE(Holds("fs = {}", Pack({})));
  EXPECT_TRUE(Holds("s = {2, 1}", Pack({Bytes(1), Bytes(2)})));
}

TEST_F(Conditions, ContainsLooksForElementsValuesAndKeys) {
  EXPECT_TRUE(Holds("l CONTAINS 7", Pack({Bytes(1), Bytes(7)})));
  EXPECT_FALSE(Holds("s CONTAINS 7", Pack({Bytes(1)})));
  EXPECT_FALSE(Holds("s CONTAINS 7", std::nullopt));
  const std::string seven = Bytes(7);
  const std::string map = PackEntries(std::vector<EntryView>{{"a", seven}});
  EXPECT_TRUE(Holds("m CONTAINS 7", map));
  EXPECT_TRUE(Holds("m CONTAINS KEY 'a'", map));
  EXPECT_FALSE(Holds("m CONTAINS KEY 'b'", map));
}

TEST_F(Conditions, DamagedCollectionsAreRefused) {
  const auto write = BindWrite(ConditionTable(), Statement("l[0] = 1"));
  EXPECT_FALSE(write.bound.conditions[0].Holds("\x7f\xff\xff\xff").has_value());
}

TEST_F(Conditions, RefusedByPlanning) {
  EXPECT_EQ(Refused("x = 1"), "Undefined column name x in table ks.t");
  EXPECT_EQ(Refused("k = 1"), "PRIMARY KEY column 'k' cannot have IF conditions");
  EXPECT_EQ(Refused("v[0] = 1"), "Invalid element access syntax for non-collection column v");
  EXPECT_EQ(Refused("s[0] = 1"), "Invalid element access syntax for set column s");
  EXPECT_EQ(Refused("v.x = 1"), "Cannot use field access on column v because it is not a UDT");
  EXPECT_EQ(Refused("u.z = 1"), "Unknown field z for column u");
  EXPECT_EQ(Refused("d < 1s"), "Slice conditions ( < ) are not supported on durations");
  EXPECT_EQ(Refused("v CONTAINS 1"), "Cannot use CONTAINS on non-collection column v");
  EXPECT_EQ(Refused("s CONTAINS KEY 1"), "Cannot use CONTAINS KEY on non-map column s");
}

TEST_F(Conditions, RefusedByBinding) {
  EXPECT_EQ(RefusedBinding("v = ?", TermValue::Unset()), "Invalid 'unset' value in condition");
  EXPECT_EQ(RefusedBinding("v < ?", TermValue::Null()),
            "Invalid comparison with null for operator \"<\"");
  EXPECT_EQ(RefusedBinding("l CONTAINS ?", TermValue::Null()),
            "Invalid comparison with null for operator \"CONTAINS\"");
  EXPECT_EQ(RefusedBinding("v IN ?", TermValue::Null()), "Invalid null list in IN condition");
  EXPECT_EQ(RefusedBinding("v IN ?", TermValue::Unset()), "Invalid 'unset' value in condition");
  EXPECT_EQ(RefusedBinding("l[?] = 1", TermValue::Null()),
            "Invalid null value for list element access");
  EXPECT_EQ(RefusedBinding("l[?] = 1", TermValue::Of("")),
            "Invalid null value for list element access");
  EXPECT_EQ(RefusedBinding("l[?] = 1", TermValue::Of(Bytes(-1))), "Invalid negative list index -1");
  EXPECT_EQ(RefusedBinding("m[?] = 1", TermValue::Null()),
            "Invalid null value for map element access");
}

}  // namespace
}  // namespace orrery::cassandra
