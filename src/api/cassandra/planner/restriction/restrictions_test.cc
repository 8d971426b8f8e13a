#include "api/cassandra/planner/restriction/restrictions.h"

#include <gtest/gtest.h>

#include "api/cassandra/planner/test_tables.h"
#include "api/cassandra/types/collection_codec.h"
#include "api/cassandra/types/native/fixed_size.h"
#include "api/cassandra/types/type_builder.h"
#include "gateway/row/row_token.h"

namespace orrery::cassandra {
namespace {

using testing::Int;
using testing::ListOf;
using testing::MapOf;
using testing::Native;
using testing::PlanText;
using testing::SetOf;
using testing::TableBuilder;
using testing::Text;

TablePtr Plain() {
  return TableBuilder()
      .Key("k", Int())
      .Clustering("a", Int())
      .Clustering("b", Int())
      .Clustering("c", Int())
      .Static("s", Int())
      .Regular("v", Int())
      .Regular("m", MapOf(Text(), Int(), Cells::kMulti))
      .Regular("l", ListOf(Int(), Cells::kMulti))
      .Regular("d", Native(TypeKind::kDuration))
      .Build();
}

TablePtr TwoKeys() {
  return TableBuilder("pairs").Key("x", Int()).Key("y", Int()).Regular("v", Int()).Build();
}

TablePtr Indexed() {
  return TableBuilder()
      .Key("k", Int())
      .Clustering("a", Int())
      .Regular("v", Int())
      .Regular("w", Int())
      .Regular("m", MapOf(Text(), Int(), Cells::kMulti))
      .Regular("u", Int())
      .IndexOn("v")
      .IndexOn("m", ast::IndexTargetKind::kKeys)
      .IndexOn("u", ast::IndexTargetKind::kColumn, /*built=*/false)
      .Build();
}

std::string ErrorOf(const TablePtr& table, const std::string& where,
                    const std::string& selection = "*") {
  return PlanText(table, "SELECT " + selection + " FROM ks.t WHERE " + where).error;
}

class NoUuids final : public UuidSource {
 public:
  std::string NextTimeUuid() override { return std::string(16, '\0'); }
  std::string NextRandomUuid() override { return std::string(16, '\0'); }
};

CqlResult<BoundKeys> Bind(const TablePtr& table, const std::string& where,
                          const std::vector<std::string>& values = {}) {
  const auto planned = PlanText(table, "SELECT * FROM ks.t WHERE " + where);
  EXPECT_EQ(planned.error, "") << where;
  if (planned.plan == nullptr) return Invalid(planned.error);
  std::vector<BoundValue> bound;
  for (const std::string& value : values) bound.push_back({BoundValue::State::kValue, value});
  NoUuids uuids;
  FunctionContext functions{Micros(0), uuids};
  Evaluation evaluation;
  evaluation.values = bound;
  evaluation.functions = &functions;
  return planned.plan->restrictions->Bind(evaluation);
}

std::string Serialized(std::vector<int32_t> values) {
  std::vector<std::string> held;
  for (const int32_t value : values) held.push_back(EncodeInteger(value));
  if (held.size() == 1) return held.front();
  std::vector<std::string_view> views(held.begin(), held.end());
  return gateway::JoinKeyComponents(views).value();
}

TEST(Restrictions, KeysAndRows) {
  const auto keys = Bind(Plain(), "k IN (3, 1, 3) AND a = 1 AND b IN (2, 1) AND c = 0");
  ASSERT_TRUE(keys.has_value());
  ASSERT_TRUE(keys->partition_keys.has_value());
  EXPECT_EQ(*keys->partition_keys, (std::vector{Serialized({1}), Serialized({3})}));
  ASSERT_EQ(keys->ranges.size(), 2u);
  EXPECT_TRUE(keys->ranges[0].is_row);
  EXPECT_LT(keys->ranges[0].lower, keys->ranges[1].lower);
}

TEST(Restrictions, InOfSeveralKeyColumnsMultiplies) {
  const auto keys = Bind(TwoKeys(), "x IN (2, 1) AND y IN (7, 5)");
  ASSERT_TRUE(keys.has_value());
  EXPECT_EQ(*keys->partition_keys, (std::vector{Serialized({1, 5}), Serialized({1, 7}),
                                                Serialized({2, 5}), Serialized({2, 7})}));
}

TEST(Restrictions, InMarkerHoldsAList) {
  const std::string one = EncodeInteger(int32_t{1});
  const std::string two = EncodeInteger(int32_t{2});
  const std::vector<std::string_view> elements = {two, one};
  const auto keys = Bind(Plain(), "k IN ?", {PackElements(elements)});
  ASSERT_TRUE(keys.has_value());
  EXPECT_EQ(*keys->partition_keys, (std::vector{Serialized({1}), Serialized({2})}));
}

TEST(Restrictions, TokensMakeAPartOfTheRing) {
  const auto keys = Bind(Plain(), "token(k) > 10 AND token(k) <= 20");
  ASSERT_TRUE(keys.has_value());
  EXPECT_FALSE(keys->partition_keys.has_value());
  EXPECT_EQ(gateway::TokenOf(keys->ring.begin()), 11);
  EXPECT_EQ(gateway::TokenOf(keys->ring.last()), 20);
  EXPECT_TRUE(Bind(Plain(), "token(k) > 20 AND token(k) < 10")->none);
  EXPECT_TRUE(
      Bind(Plain(), "token(k) > 20 AND token(k) <= -9223372036854775808")->ring.reaches_top());
}

TEST(Restrictions, TokenOfValuesIsATerm) {
  const auto keys = Bind(Plain(), "token(k) >= token(?)", {Serialized({5})});
  ASSERT_TRUE(keys.has_value());
  EXPECT_EQ(gateway::TokenOf(keys->ring.begin()), gateway::TokenOf(Serialized({5})));
}

TEST(Restrictions, TokensFilterKeysThatAreGiven) {
  const int64_t token = gateway::TokenOf(Serialized({1}));
  const auto keys = Bind(Plain(), "k IN (1, 2) AND token(k) = " + std::to_string(token));
  ASSERT_TRUE(keys.has_value());
  EXPECT_EQ(*keys->partition_keys, std::vector{Serialized({1})});
}

TEST(Restrictions, MarkersTellTheirReceivers) {
  const auto planned =
      PlanText(Plain(), "SELECT * FROM ks.t WHERE k = ? AND (a, b) > (?, ?) AND (a, b) < ?");
  EXPECT_EQ(planned.error, "");
  EXPECT_EQ(planned.variables, (std::vector<std::string>{"k", "a", "b", "(a,b)"}));
  EXPECT_EQ(planned.partition_key_indexes, std::vector<uint16_t>{0});
  EXPECT_EQ(PlanText(Plain(), "SELECT * FROM ks.t WHERE k IN ? AND a IN ?").variables,
            (std::vector<std::string>{"in(k)", "in(a)"}));
}

struct Refusal {
  std::string where;
  std::string error;
};

TEST(Restrictions, RefusesInCassandrasWords) {
  const std::string filtering(kRequiresFiltering);
  const std::vector<Refusal> refusals = {
      {"x = 1", "Undefined column name x in table ks.t"},
      {"v = 1", filtering},
      {"k > 1", filtering},
      {"a = 1", filtering},
      {"k = 1 AND k = 2",
       "k cannot be restricted by more than one relation if it includes an Equal"},
      {"k = 1 AND k IN (1, 2)",
       "k cannot be restricted by more than one relation if it includes an Equal"},
      {"k IN (1, 2) AND k = 1",
       "k cannot be restricted by more than one relation if it includes a IN"},
      {"k = 1 AND a > 1 AND a = 2",
       "Column \"a\" cannot be restricted by both an equality and an inequality relation"},
      {"k = 1 AND a > 1 AND a >= 2",
       "More than one restriction was found for the start bound on a"},
      {"k = 1 AND a < 1 AND a <= 2", "More than one restriction was found for the end bound on a"},
      {"k = 1 AND b = 1",
       "PRIMARY KEY column \"b\" cannot be restricted as preceding column \"a\" is not restricted"},
      {"k = 1 AND a = 1 AND c = 1",
       "PRIMARY KEY column \"c\" cannot be restricted as preceding column \"b\" is not restricted"},
      {"k = 1 AND a > 1 AND b = 1",
       "Clustering column \"b\" cannot be restricted (preceding column \"a\" is restricted by a "
       "non-EQ relation)"},
      {"k = 1 AND b = 1 AND a > 1",
       "PRIMARY KEY column \"b\" cannot be restricted (preceding column \"a\" is restricted by a "
       "non-EQ relation)"},
      {"k = 1 AND (a, b) > (1, 2) AND b < 3",
       "Column \"b\" cannot be restricted by two inequalities not starting with the same column"},
      {"k = 1 AND (a, c) > (1, 2)",
       "Clustering columns must appear in the PRIMARY KEY order in multi-column relations: (a, c) "
       "> (1, 2)"},
      {"k = 1 AND (a, a) > (1, 2)", "Column \"a\" appeared twice in a relation: (a, a) > (1, 2)"},
      {"(k, a) = (1, 2)",
       "Multi-column relations can only be applied to clustering columns but was applied to: k"},
      {"k = 1 AND (a, b) = (1, 2, 3)", "Expected 2 elements in value tuple, but got 3: (1, 2, 3)"},
      {"k = 1 AND v != 1", "Unsupported \"!=\" relation: v != 1"},
      {"k = 1 AND v IS NOT NULL", "Unsupported restriction: v IS NOT NULL"},
      {"k = 1 AND v LIKE 1",
       "LIKE restriction is only supported on properly indexed columns. v LIKE 1 is not valid."},
      {"k = 1 AND v LIKE 'x'", "Invalid STRING constant (x) for \"v\" of type int"},
      {"k = 1 AND l LIKE 1",
       "Collection column 'l' (list<int>) cannot be restricted by a 'LIKE' relation"},
      {"k = 1 AND v CONTAINS 1", "Cannot use CONTAINS on non-collection column v"},
      {"k = 1 AND l CONTAINS KEY 1", "Cannot use CONTAINS KEY on non-map column l"},
      {"k = 1 AND l[0] = 1",
       "Indexes on list entries (l[index] = value) are not currently supported."},
      {"k = 1 AND m['x'] > 1", "Only EQ relations are supported on map entries"},
      {"k = 1 AND l = [1]",
       "Collection column 'l' (list<int>) cannot be restricted by a '=' relation"},
      {"k = 1 AND d > 1s", "Slice restrictions are not supported on duration columns"},
      {"token(k) > 1 AND token(k) > 2",
       "More than one restriction was found for the start bound on k"},
      {"token(k) = 1 AND token(k) > 2",
       "k cannot be restricted by more than one relation if it includes an Equal"},
      {"token(a) > 1",
       "The token() function must be applied to all partition key components or none of them"},
  };
  for (const Refusal& refusal : refusals)
    EXPECT_EQ(ErrorOf(Plain(), refusal.where), refusal.error) << refusal.where;
}

TEST(Restrictions, PartitionKeysOfSeveralColumns) {
  const std::string filtering(kRequiresFiltering);
  EXPECT_EQ(ErrorOf(TwoKeys(), "x = 1"), filtering);
  EXPECT_EQ(ErrorOf(TwoKeys(), "x = 1 ALLOW FILTERING"), "");
  EXPECT_EQ(ErrorOf(TwoKeys(), "token(y, x) > 1"),
            "The token function arguments must be in the partition key order: x, y");
}

TEST(Restrictions, FilteringAllowsTheRest) {
  for (const std::string where :
       {"v = 1", "k > 1", "a = 1", "k = 1 AND b = 1", "k = 1 AND a > 1 AND b = 2",
        "m CONTAINS 1 AND m CONTAINS KEY 'x'", "m['x'] = 1", "token(k) > 1 AND v IN (1, 2)"}) {
    EXPECT_EQ(ErrorOf(Plain(), where + " ALLOW FILTERING"), "") << where;
  }
}

TEST(Restrictions, StaticsHaveNoRows) {
  EXPECT_EQ(ErrorOf(Plain(), "k = 1 AND a = 1", "s"),
            "Cannot restrict clustering columns when selecting only static columns");
  EXPECT_EQ(ErrorOf(Plain(), "k = 1", "s"), "");
}

TEST(Restrictions, AnIndexServesEquality) {
  const auto keys = Bind(Indexed(), "v = 7");
  ASSERT_TRUE(keys.has_value());
  ASSERT_TRUE(keys->index.has_value());
  EXPECT_EQ(keys->index->value, item::RowTermValue(EncodeInteger(int32_t{7})));
  EXPECT_TRUE(Bind(Indexed(), "m CONTAINS KEY 'x'")->index.has_value());
  EXPECT_TRUE(Bind(Indexed(), "k = 1 AND v = 7")->index.has_value());
}

TEST(Restrictions, AnIndexServesNothingElse) {
  const std::string filtering(kRequiresFiltering);
  EXPECT_EQ(ErrorOf(Indexed(), "v > 7"), filtering);
  EXPECT_EQ(ErrorOf(Indexed(), "v IN (7, 8)"), filtering);
  EXPECT_EQ(ErrorOf(Indexed(), "u = 7"), filtering) << "not built yet";
  EXPECT_EQ(ErrorOf(Indexed(), "v = 7 AND w = 1"), filtering);
  EXPECT_EQ(ErrorOf(Indexed(), "m CONTAINS 1"), filtering);
  EXPECT_EQ(ErrorOf(Indexed(), "k IN (1, 2) AND v = 7"),
            "Select on indexed columns and with IN clause for the PRIMARY KEY are not supported");
}

TEST(Restrictions, RefusesNulls) {
  const auto planned = PlanText(Plain(), "SELECT * FROM ks.t WHERE k = ? AND a > ?");
  ASSERT_NE(planned.plan, nullptr);
  const std::string one = EncodeInteger(int32_t{1});
  std::vector<BoundValue> values = {{BoundValue::State::kNull, {}},
                                    {BoundValue::State::kValue, one}};
  Evaluation evaluation;
  evaluation.values = values;
  EXPECT_EQ(planned.plan->restrictions->Bind(evaluation).error().message,
            "Invalid null value in condition for column k");
  values[0] = {BoundValue::State::kValue, one};
  values[1] = {BoundValue::State::kUnset, {}};
  EXPECT_EQ(planned.plan->restrictions->Bind(evaluation).error().message,
            "Invalid unset value for column a");
  const auto filtered = PlanText(Plain(), "SELECT * FROM ks.t WHERE v = ? ALLOW FILTERING");
  ASSERT_NE(filtered.plan, nullptr);
  values = {{BoundValue::State::kNull, {}}};
  evaluation.values = values;
  EXPECT_EQ(filtered.plan->restrictions->BindFilter(evaluation).error().message,
            "Unsupported null value for column v");
}

TEST(Restrictions, ProductsAreBounded) {
  std::string list = "0";
  for (int i = 1; i < 400; ++i) list += ", " + std::to_string(i);
  const auto keys = Bind(TwoKeys(), "x IN (" + list + ") AND y IN (" + list + ")");
  ASSERT_FALSE(keys.has_value());
  EXPECT_EQ(keys.error().message,
            "The IN restrictions of the query make more than 65535 combinations of keys");
}

}  // namespace
}  // namespace orrery::cassandra
