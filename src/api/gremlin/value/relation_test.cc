#include "api/gremlin/value/relation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <compare>

namespace orrery::gremlin {
namespace {

TEST(Relation, EqualityPromotesNumbers) {
  EXPECT_TRUE(Equals(Value::Int(1), Value::Long(1)));
  EXPECT_TRUE(Equals(Value::Int(1), Value::Double(1.0)));
  EXPECT_FALSE(Equals(Value::Int(1), Value::String("1")));
  EXPECT_FALSE(Equals(Value::Double(NAN), Value::Double(NAN)));
  EXPECT_TRUE(Equals(Value::List({Value::Int(1)}), Value::List({Value::Double(1.0)})));
}

TEST(Relation, EquivalenceDoesNot) {
  EXPECT_FALSE(Equivalent(Value::Int(1), Value::Double(1.0)));
  EXPECT_TRUE(Equivalent(Value::Double(NAN), Value::Double(NAN)));
  EXPECT_EQ(Hash(Value::Double(NAN)), Hash(Value::Double(NAN)));
  EXPECT_EQ(Hash(Value::String("a")), Hash(Value::String("a")));
}

TEST(Relation, ComparesWithinOneFamilyOfTypes) {
  EXPECT_EQ(Compare(Value::Int(1), Value::Double(1.5)), std::weak_ordering::less);
  EXPECT_EQ(Compare(Value::String("b"), Value::String("a")), std::weak_ordering::greater);
  EXPECT_EQ(Compare(Value::Int(1), Value::String("a")), std::nullopt);
  EXPECT_EQ(Compare(Value::Double(NAN), Value::Int(1)), std::nullopt);
}

TEST(Relation, OrdersValuesOfAllTypes) {
  const Values ordered = {Value::Null(),   Value::Bool(false),  Value::Bool(true),
                          Value::Int(-1),  Value::Double(0.5),  Value::Long(2),
                          Value::Date(10), Value::String("10"), Value::String("9")};
  for (size_t i = 0; i + 1 < ordered.size(); ++i) {
    EXPECT_TRUE(std::is_lt(Order(ordered[i], ordered[i + 1]))) << i;
    EXPECT_TRUE(std::is_gt(Order(ordered[i + 1], ordered[i]))) << i;
  }
}

TEST(Relation, MapsTellKeysApartByEquivalence) {
  ValueMap map;
  for (int i = 0; i < 40; ++i) map.Set(Value::Int(i), Value::Int(i * i));
  map.Set(Value::Double(3), Value::String("another key"));
  map.Set(Value::Int(3), Value::String("the same key"));
  EXPECT_EQ(map.size(), 41U);
  ASSERT_NE(map.Find(Value::Int(39)), nullptr);
  EXPECT_EQ(map.Find(Value::Int(39))->AsInteger(), 39 * 39);
  EXPECT_EQ(map.Find(Value::Int(3))->AsString(), "the same key");
  EXPECT_EQ(map.Find(Value::Long(39)), nullptr);
}

}  // namespace
}  // namespace orrery::gremlin
