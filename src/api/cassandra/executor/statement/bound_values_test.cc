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

}  // namespace
}  // namespace orrery::cassandra
