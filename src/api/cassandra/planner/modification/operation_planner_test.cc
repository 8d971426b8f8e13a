#include "api/cassandra/planner/modification/operation_planner.h"

#include <gtest/gtest.h>

#include "api/cassandra/planner/test_writes.h"
#include "api/cassandra/types/native/fixed_size.h"
#include "api/cassandra/types/type_builder.h"

namespace orrery::cassandra {
namespace {

using testing::BindWrite;
using testing::Counters;
using testing::Int;
using testing::ListOf;
using testing::MapOf;
using testing::PlanWrite;
using testing::SetOf;
using testing::TableBuilder;
using testing::Text;
using testing::TupleOf;
using testing::Udt;

TablePtr OperationTable() {
  return TableBuilder()
      .Key("k", Int())
      .Regular("v", Int())
      .Regular("l", ListOf(Int(), Cells::kMulti))
      .Regular("s", SetOf(Int(), Cells::kMulti))
      .Regular("m", MapOf(Text(), Int(), Cells::kMulti))
      .Regular("u", Udt("pair", {"x", "y"}, {Int(), Text()}, Cells::kMulti))
      .Regular("fl", ListOf(Int()))
      .Regular("fu", Udt("pair", {"x", "y"}, {Int(), Text()}))
      .Regular("tu", TupleOf({Int()}))
      .Build();
}

class Operations : public ::testing::Test {
 protected:
  // The one operation of "UPDATE SET ...".
  const ColumnOperation& Set(const std::string& assignment,
                             const TablePtr& table = OperationTable()) {
    planned_ = PlanWrite(table, "UPDATE ks.t SET " + assignment + " WHERE k = 1");
    return One();
  }
  const ColumnOperation& Delete(const std::string& deletion) {
    planned_ = PlanWrite(OperationTable(), "DELETE " + deletion + " FROM ks.t WHERE k = 1");
    return One();
  }
  static std::string RefusedSet(const std::string& assignment,
                                const TablePtr& table = OperationTable()) {
    return PlanWrite(table, "UPDATE ks.t SET " + assignment + " WHERE k = 1").error;
  }
  static std::string RefusedDelete(const std::string& deletion) {
    return PlanWrite(OperationTable(), "DELETE " + deletion + " FROM ks.t WHERE k = 1").error;
  }
  static std::string RefusedBinding(const std::string& assignment, std::vector<TermValue> values,
                                    const TablePtr& table = OperationTable()) {
    return BindWrite(table, "UPDATE ks.t SET " + assignment + " WHERE k = 1", std::move(values))
        .error;
  }

  testing::PlannedWrite planned_;

 private:
  const ColumnOperation& One() {
    static const ColumnOperation kNone;
    EXPECT_EQ(planned_.error, "");
    if (planned_.plan == nullptr || planned_.plan->row_operations.size() != 1) return kNone;
    return planned_.plan->row_operations.front();
  }
};

TEST_F(Operations, WholeColumnsAreSet) {
  const ColumnOperation& operation = Set("v = ?");
  EXPECT_EQ(operation.kind, OperationKind::kSet);
  EXPECT_EQ(operation.column->name, "v");
  EXPECT_FALSE(operation.reads());
  EXPECT_EQ(planned_.variables, std::vector<std::string>{"v"});
}

TEST_F(Operations, CollectionsAreAddedToAndTakenFrom) {
  EXPECT_EQ(Set("l = l + [1]").kind, OperationKind::kAppend);
  EXPECT_EQ(Set("l = [1] + l").kind, OperationKind::kPrepend);
  EXPECT_EQ(Set("s += {1}").kind, OperationKind::kAppend);
  EXPECT_EQ(Set("m = m + {'a': 1}").kind, OperationKind::kAppend);
  EXPECT_EQ(Set("s = s - {1}").kind, OperationKind::kDiscard);
  EXPECT_EQ(Set("l -= [1]").kind, OperationKind::kDiscard);
  // Of a map, keys are taken.
  EXPECT_EQ(Set("m = m - {'a'}").value->type()->kind(), TypeKind::kSet);
}

TEST_F(Operations, ElementsAndFieldsAreAddressed) {
  const ColumnOperation& element = Set("m[?] = ?");
  EXPECT_EQ(element.kind, OperationKind::kPutElement);
  EXPECT_EQ(planned_.variables, (std::vector<std::string>{"key(m)", "value(m)"}));
  EXPECT_EQ(Set("l[?] = 1").key->type()->kind(), TypeKind::kInt);
  EXPECT_EQ(planned_.variables, std::vector<std::string>{"idx(l)"});
  const ColumnOperation& field = Set("u.y = ?");
  EXPECT_EQ(field.kind, OperationKind::kPutField);
  EXPECT_EQ(field.field, 1u);
  EXPECT_EQ(planned_.variables, std::vector<std::string>{"u.y"});
}

TEST_F(Operations, OnlyListsByIndexOrValueLookFirst) {
  EXPECT_TRUE(Set("l[0] = 1").reads());
  EXPECT_TRUE(Set("l = l - [1]").reads());
  EXPECT_TRUE(Delete("l[0]").reads());
  EXPECT_FALSE(Set("l = l + [1]").reads());
  EXPECT_FALSE(Set("m['a'] = 1").reads());
  EXPECT_FALSE(Set("s = s - {1}").reads());
}

TEST_F(Operations, DeletionsOfColumnsElementsAndFields) {
  EXPECT_EQ(Delete("v").kind, OperationKind::kRemove);
  EXPECT_EQ(Delete("v").value, nullptr);
  EXPECT_EQ(Delete("m['a']").kind, OperationKind::kRemoveElement);
  EXPECT_EQ(Delete("s[1]").kind, OperationKind::kRemoveElement);
  const ColumnOperation& field = Delete("u.y");
  EXPECT_EQ(field.kind, OperationKind::kPutField);
  EXPECT_EQ(field.field, 1u);
  EXPECT_EQ(field.value, nullptr);
}

TEST_F(Operations, CountersAreCountedOnly) {
  EXPECT_EQ(Set("n = n + 1", Counters()).kind, OperationKind::kCount);
  EXPECT_EQ(Set("n -= 2", Counters()).kind, OperationKind::kCountDown);
  EXPECT_EQ(RefusedSet("n = 1", Counters()),
            "Cannot set the value of counter column n (counters can only be "
            "incremented/decremented, not set)");
  EXPECT_EQ(RefusedSet("n = null", Counters()),
            "Invalid null value for counter increment/decrement");
}

TEST_F(Operations, RefusesWhatAColumnCannotDo) {
  EXPECT_EQ(RefusedSet("x = 1"), "Undefined column name x in table ks.t");
  EXPECT_EQ(RefusedSet("k = 1"), "PRIMARY KEY part k found in SET part");
  EXPECT_EQ(RefusedSet("v = v + 1"), "Invalid operation (v = v + 1) for non counter column v");
  EXPECT_EQ(RefusedSet("v[0] = 1"), "Invalid operation (v[0] = 1) for non collection column v");
  EXPECT_EQ(RefusedSet("s[0] = 1"), "Invalid operation (s[0] = 1) for set column s");
  EXPECT_EQ(RefusedSet("fl[0] = 1"),
            "Invalid operation (fl[0] = 1) for frozen collection column fl");
  EXPECT_EQ(RefusedSet("fl = fl + [1]"),
            "Invalid operation (fl = fl + [1]) for frozen collection column fl");
  EXPECT_EQ(RefusedSet("fl = [1] + fl"),
            "Invalid operation (fl = [1] + fl) for frozen list column fl");
  EXPECT_EQ(RefusedSet("s = {1} + s"), "Invalid operation (s = {1} + s) for non list column s");
  EXPECT_EQ(RefusedSet("tu = tu + (1)"), "Invalid operation (tu = tu + (1)) for tuple column tu");
  EXPECT_EQ(RefusedSet("v.x = 1"), "Invalid operation (v.x = 1) for non-UDT column v");
  EXPECT_EQ(RefusedSet("fu.x = 1"), "Invalid operation (fu.x = 1) for frozen UDT column fu");
  EXPECT_EQ(RefusedSet("u.z = 1"), "UDT column u does not have a field named z");
  EXPECT_EQ(RefusedSet("m = m + [1]"), "Value for a map addition has to be a map, but was: '[1]'");
  EXPECT_EQ(RefusedSet("m = m - [1]"),
            "Value for a map substraction has to be a set, but was: '[1]'");
}

TEST_F(Operations, RefusesDeletionsThatMakeNoSense) {
  EXPECT_EQ(RefusedDelete("k"),
            "Invalid identifier k for deletion (should not be a PRIMARY KEY part)");
  EXPECT_EQ(RefusedDelete("x"), "Undefined column name x in table ks.t");
  EXPECT_EQ(RefusedDelete("v[0]"), "Invalid deletion operation for non collection column v");
  EXPECT_EQ(RefusedDelete("fl[0]"), "Invalid deletion operation for frozen collection column fl");
  EXPECT_EQ(RefusedDelete("v.x"), "Invalid field deletion operation for non-UDT column v");
  EXPECT_EQ(RefusedDelete("fu.x"), "Frozen UDT column fu does not support field deletions");
}

TEST_F(Operations, BindingRefusesMissingKeysAndAmounts) {
  const TermValue empty = TermValue::Of("");
  EXPECT_EQ(RefusedBinding("l[?] = 1", {TermValue::Null()}), "Invalid null value for list index");
  EXPECT_EQ(RefusedBinding("l[?] = 1", {TermValue::Unset()}), "Invalid unset value for list index");
  EXPECT_EQ(RefusedBinding("l[?] = 1", {empty}), "Invalid null value for list index");
  EXPECT_EQ(RefusedBinding("m[?] = 1", {TermValue::Null()}), "Invalid null map key");
  EXPECT_EQ(RefusedBinding("m[?] = 1", {TermValue::Unset()}), "Invalid unset map key");
  EXPECT_EQ(RefusedBinding("m[?] = 1", {empty}), "");
  EXPECT_EQ(
      BindWrite(OperationTable(), "DELETE s[?] FROM ks.t WHERE k = 1", {TermValue::Null()}).error,
      "Invalid null set element");
  EXPECT_EQ(RefusedBinding("n = n + ?", {TermValue::Null()}, Counters()),
            "Invalid null value for counter increment/decrement");
  EXPECT_EQ(RefusedBinding("n = n + ?", {empty}, Counters()),
            "Invalid null value for counter increment/decrement");
}

TEST_F(Operations, UnsetValuesLeaveColumnsAlone) {
  const auto write =
      BindWrite(OperationTable(), "UPDATE ks.t SET v = ?, l = l + ?, s = null WHERE k = 1",
                {TermValue::Unset(), TermValue::Unset()});
  ASSERT_EQ(write.bound.row_operations.size(), 1u);
  EXPECT_EQ(write.bound.row_operations[0].operation->column->name, "s");
  EXPECT_TRUE(write.bound.row_operations[0].value.is_null());
}

}  // namespace
}  // namespace orrery::cassandra
