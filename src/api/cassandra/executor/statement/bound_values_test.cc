#include "api/cassandra/executor/statement/bound_values.h"

#include <gtest/gtest.h>

namespace orrery::cassandra {
namespace {

using Names = std::vector<std::string>;
using NameViews = std::vector<std::string_view>;

BoundValue Value(std::string_view bytes) { return {BoundValue::State::kValue, bytes}; }

class ArrangeValuesTest : public ::testing::Test {
 protected:
  CqlResult<std::span<const BoundValue>> Arrange(const NameViews& names, const Names& markers,
                                                 bool is_prepared = true) {
    return ArrangeValues(values_, names, markers, is_prepared, reordered_);
  }

  std::vector<BoundValue> values_ = {Value("a"), Value("b")};
  std::vector<BoundValue> reordered_;
};

TEST_F(ArrangeValuesTest, ValuesWithoutNamesAreTakenAsTheyAre) {
  const auto arranged = Arrange({}, {"x", "y"});
  ASSERT_TRUE(arranged.has_value());
  EXPECT_EQ(arranged->data(), values_.data());
  EXPECT_EQ(arranged->size(), 2u);
}

TEST_F(ArrangeValuesTest, ThereMustBeAsManyAsMarkers) {
  EXPECT_EQ(Arrange({}, {"x"}).error().message,
            "there were 1 markers(?) in CQL but 2 bound variables");
  EXPECT_EQ(Arrange({}, {"x", "y", "z"}, /*is_prepared=*/false).error().message,
            "Invalid amount of bind variables");
  values_.clear();
  EXPECT_TRUE(Arrange({}, {}).has_value());
}

TEST_F(ArrangeValuesTest, NamedValuesComeInTheMarkersOrder) {
  const auto arranged = Arrange({"y", "x"}, {"x", "y", "x"});
  ASSERT_TRUE(arranged.has_value());
  ASSERT_EQ(arranged->size(), 3u);
  EXPECT_EQ((*arranged)[0].bytes, "b");
  EXPECT_EQ((*arranged)[1].bytes, "a");
  EXPECT_EQ((*arranged)[2].bytes, "b");
}

TEST_F(ArrangeValuesTest, EveryMarkerNeedsAValueButNotTheReverse) {
  EXPECT_EQ(Arrange({"x", "y"}, {"x", "z"}).error().message,
            "Missing value for the bind marker \"z\"");
  reordered_.clear();
  const auto arranged = Arrange({"x", "y"}, {"x"});
  ASSERT_TRUE(arranged.has_value());
  EXPECT_EQ(arranged->size(), 1u);
}

TEST(KeptValues, OutliveWhatTheyWereCopiedFrom) {
  std::string bytes = "first, which is long enough to have memory of its own|second";
  std::vector<BoundValue> values = {Value(std::string_view(bytes).substr(0, 53)),
                                    {BoundValue::State::kNull, {}},
                                    Value(""),
                                    {BoundValue::State::kUnset, {}},
                                    Value(std::string_view(bytes).substr(54))};
  const KeptValues kept(values);
  bytes.assign(bytes.size(), 'x');
  ASSERT_EQ(kept.values().size(), 5u);
  EXPECT_EQ(kept.values()[0].bytes, "first, which is long enough to have memory of its own");
  EXPECT_TRUE(kept.values()[1].is_null());
  EXPECT_EQ(kept.values()[2], Value(""));
  EXPECT_TRUE(kept.values()[3].is_unset());
  EXPECT_EQ(kept.values()[4].bytes, "second");
}

TEST(KeptParameters, KeepAllButNamesAndKeyspace) {
  std::string bytes = "value state keyspace";
  QueryParameters parameters;
  parameters.values = {Value(std::string_view(bytes).substr(0, 5))};
  parameters.names = {"n"};
  parameters.paging_state = std::string_view(bytes).substr(6, 5);
  parameters.context.keyspace = std::string_view(bytes).substr(12);
  parameters.context.consistency = Consistency::kQuorum;
  parameters.page_rows = 10;
  const KeptParameters kept(parameters);
  bytes.assign(bytes.size(), 'x');
  EXPECT_EQ(kept.parameters().values.at(0).bytes, "value");
  EXPECT_EQ(kept.parameters().paging_state, "state");
  EXPECT_TRUE(kept.parameters().names.empty());
  EXPECT_FALSE(kept.parameters().context.keyspace.has_value());
  EXPECT_EQ(kept.parameters().context.consistency, Consistency::kQuorum);
  EXPECT_EQ(kept.parameters().page_rows, 10);
  EXPECT_FALSE(KeptParameters(QueryParameters()).parameters().paging_state.has_value());
}

}  // namespace
}  // namespace orrery::cassandra
