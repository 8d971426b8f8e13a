#include "api/cassandra/planner/term/column_nodes.h"

#include <gtest/gtest.h>

#include "api/cassandra/planner/term/row_values.h"
#include "api/cassandra/planner/term/value_nodes.h"
#include "api/cassandra/planner/test_writes.h"
#include "api/cassandra/types/collection_codec.h"
#include "api/cassandra/types/literal.h"
#include "api/cassandra/types/type_builder.h"
#include "api/cassandra/types/values_testing.h"

namespace orrery::cassandra {
namespace {

using ast::CellAttributeKind;
using testing::Bytes;
using testing::Execution;
using testing::Int;
using testing::MapOf;
using testing::Native;
using testing::SetOf;
using testing::Text;
using testing::Udt;

// A row with one column that several expressions look at.
class ColumnNodes : public ::testing::Test {
 protected:
  void SetValue(std::string value) {
    value_ = std::move(value);
    row_.values = {value_};
  }
  std::string Evaluated(const Expression& expression, TermValue marker = TermValue::Null()) {
    Execution execution({std::move(marker)});
    execution.evaluation().row = &row_;
    const auto value = expression.Evaluate(execution.evaluation());
    if (!value.has_value()) return value.error().message;
    if (!value->has_value()) return "null";
    return ToCqlLiteral(*expression.type(), value->bytes).value_or("damaged");
  }
  static ExpressionPtr Column(TypePtr type) {
    return std::make_unique<ColumnExpression>(std::move(type), 0);
  }
  static ExpressionPtr Number(int32_t value) {
    return std::make_unique<ConstantExpression>(Int(), TermValue::Of(Bytes(value)));
  }
  static ExpressionPtr Marker() { return std::make_unique<MarkerExpression>(Int(), 0, "k"); }
  static AttributeExpression Attribute(CellAttributeKind kind, CellChoice cells = {}) {
    return {Native(kind == CellAttributeKind::kTtl ? TypeKind::kInt : TypeKind::kBigint), kind,
            std::move(cells)};
  }

  RowValues row_{.values = {std::nullopt}, .times = {{}}, .now_s = 100};

 private:
  std::string value_;
};

TEST_F(ColumnNodes, AColumnIsItsValueOrNull) {
  EXPECT_EQ(Evaluated(*Column(Int())), "null");
  SetValue(Bytes(4));
  EXPECT_EQ(Evaluated(*Column(Int())), "4");
}

TEST_F(ColumnNodes, FieldsMissingAtTheEndAreNull) {
  const TypePtr type = Udt("pair", {"x", "y"}, {Int(), Int()});
  const FieldExpression y(Int(), Column(type), 1);
  EXPECT_EQ(Evaluated(y), "null");
  const std::string x = Bytes(1);
  SetValue(PackComponents(std::vector<NullableView>{x}));
  EXPECT_EQ(Evaluated(FieldExpression(Int(), Column(type), 0)), "1");
  EXPECT_EQ(Evaluated(y), "null");
  SetValue("no components");
  EXPECT_FALSE(Evaluated(y).empty());
}

TEST_F(ColumnNodes, ElementsOfMapsAndSets) {
  const TypePtr map = MapOf(Int(), Text());
  EXPECT_EQ(Evaluated(ElementExpression(Text(), Column(map), Number(1))), "null");
  const std::string one = Bytes(1);
  const std::string two = Bytes(2);
  SetValue(PackEntries(std::vector<EntryView>{{one, "a"}, {two, "b"}}));
  EXPECT_EQ(Evaluated(ElementExpression(Text(), Column(map), Number(2))), "'b'");
  EXPECT_EQ(Evaluated(ElementExpression(Text(), Column(map), Number(3))), "null");
  const ElementExpression asked(Text(), Column(map), Marker());
  EXPECT_EQ(Evaluated(asked), "null");
  EXPECT_EQ(Evaluated(asked, TermValue::Unset()), "Invalid unset value for element selection");

  SetValue(PackElements(Views{one, two}));
  EXPECT_EQ(Evaluated(ElementExpression(Int(), Column(SetOf(Int())), Number(2))), "2");
  EXPECT_EQ(Evaluated(ElementExpression(Int(), Column(SetOf(Int())), Number(9))), "null");
}

TEST_F(ColumnNodes, SlicesHaveBothEndsAndMayBeOpen) {
  const TypePtr set = SetOf(Int());
  const std::string low = Bytes(-1);
  const std::string one = Bytes(1);
  const std::string two = Bytes(2);
  SetValue(PackElements(Views{low, one, two}));
  EXPECT_EQ(Evaluated(SliceExpression(Column(set), Number(-1), Number(1))), "{-1, 1}");
  EXPECT_EQ(Evaluated(SliceExpression(Column(set), nullptr, Number(0))), "{-1}");
  EXPECT_EQ(Evaluated(SliceExpression(Column(set), Number(2), nullptr)), "{2}");
  EXPECT_EQ(Evaluated(SliceExpression(Column(set), Number(3), nullptr)), "{}");
  EXPECT_EQ(Evaluated(SliceExpression(Column(SetOf(Int(), Cells::kMulti)), Number(3), nullptr)),
            "null");
  EXPECT_EQ(Evaluated(SliceExpression(Column(set), Marker(), nullptr), TermValue::Unset()),
            "Invalid unset value for slice selection");
  const TypePtr map = MapOf(Int(), Text());
  SetValue(PackEntries(std::vector<EntryView>{{low, "a"}, {one, "b"}, {two, "c"}}));
  EXPECT_EQ(Evaluated(SliceExpression(Column(map), Number(1), nullptr)), "{1: 'b', 2: 'c'}");
}

TEST_F(ColumnNodes, AttributesOfOneCell) {
  EXPECT_EQ(Evaluated(Attribute(CellAttributeKind::kWritetime)), "null");
  row_.times[0] = {{"", 1'234, 0, 0}};
  EXPECT_EQ(Evaluated(Attribute(CellAttributeKind::kWritetime)), "1234");
  EXPECT_EQ(Evaluated(Attribute(CellAttributeKind::kTtl)), "null");
  row_.times[0] = {{"", 1'234, 60, 130}};
  EXPECT_EQ(Evaluated(Attribute(CellAttributeKind::kTtl)), "30");
  row_.now_s = 131;
  EXPECT_EQ(Evaluated(Attribute(CellAttributeKind::kTtl)), "0");
}

TEST_F(ColumnNodes, AttributesOfElementsAndFields) {
  const std::string one = Bytes(1);
  const std::string field = FieldPath(1);
  row_.times[0] = {{one, 10, 0, 0}, {field, 20, 9, 105}};
  const auto element = [](ExpressionPtr key) {
    CellChoice cells;
    cells.element = std::move(key);
    return Attribute(CellAttributeKind::kWritetime, std::move(cells));
  };
  EXPECT_EQ(Evaluated(element(Number(1))), "10");
  EXPECT_EQ(Evaluated(element(Number(2))), "null");
  EXPECT_EQ(Evaluated(element(Marker())), "null");
  CellChoice of_field;
  of_field.field = field;
  EXPECT_EQ(Evaluated(Attribute(CellAttributeKind::kTtl, std::move(of_field))), "5");
}

TEST_F(ColumnNodes, TheLatestOfSeveralCells) {
  CellChoice whole;
  whole.several = true;
  const AttributeExpression latest = Attribute(CellAttributeKind::kMaxWritetime, std::move(whole));
  EXPECT_EQ(Evaluated(latest), "null");
  row_.times[0] = {{"a", 10, 0, 0}, {"b", 30, 0, 0}, {"c", 20, 0, 0}};
  EXPECT_EQ(Evaluated(latest), "30");
}

TEST(FieldPath, IsTheFieldsNumber) { EXPECT_EQ(FieldPath(258), "\x01\x02"); }

}  // namespace
}  // namespace orrery::cassandra
