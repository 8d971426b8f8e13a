#include "model/vector/vector_measure.h"

#include <gtest/gtest.h>

#include <cmath>

#include "model/document/json.h"

namespace orrery::model {
namespace {

TEST(VectorMeasureTest, Numbers) {
  const std::vector<double> a = {3, 4};
  const std::vector<double> b = {4, 3};
  EXPECT_DOUBLE_EQ(*Measure(VectorMeasure::kCosine, a, b), 0.96);
  EXPECT_DOUBLE_EQ(*Measure(VectorMeasure::kDotProduct, a, b), 24);
  EXPECT_DOUBLE_EQ(*Measure(VectorMeasure::kEuclidean, a, b), std::sqrt(2.0));
  EXPECT_FALSE(Measure(VectorMeasure::kCosine, a, std::vector<double>{0, 0}).has_value());
  EXPECT_FALSE(
      Measure(VectorMeasure::kDotProduct, std::vector<double>{1e300}, std::vector<double>{1e300})
          .has_value());
}

TEST(VectorMeasureTest, Names) {
  EXPECT_EQ(FindVectorMeasure("DotProduct"), VectorMeasure::kDotProduct);
  EXPECT_EQ(FindVectorMeasure("taxi"), std::nullopt);
  for (const auto measure :
       {VectorMeasure::kCosine, VectorMeasure::kDotProduct, VectorMeasure::kEuclidean})
    EXPECT_EQ(FindVectorMeasure(NameOf(measure)), measure);
}

TEST(VectorMeasureTest, WhatIsAVector) {
  const auto document = *ParseJson(
      R"({"v":[1,2.5,-3000000000],"empty":[],"mixed":[1,"a"],"deep":[[1]],"n":5,"none":null})");
  const auto vector = [&](std::string_view name, size_t dimensions) {
    return VectorOf(*document.view().Find(name), dimensions);
  };
  const std::vector<double> expected = {1, 2.5, -3e9};
  EXPECT_EQ(vector("v", 3), expected);
  EXPECT_EQ(VectorOf(document.view().Get("v")), expected);
  EXPECT_EQ(vector("v", 2), std::nullopt);
  EXPECT_EQ(vector("v", 4), std::nullopt);
  for (const char* name : {"empty", "mixed", "deep", "n", "none"}) {
    EXPECT_EQ(VectorOf(document.view().Get(name)), std::nullopt) << name;
    EXPECT_EQ(vector(name, 2), std::nullopt) << name;
  }
}

}  // namespace
}  // namespace orrery::model
