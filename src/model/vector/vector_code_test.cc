#include "model/vector/vector_code.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "base/bytes.h"

namespace orrery::model {
namespace {

constexpr VectorMeasure kMeasures[] = {VectorMeasure::kCosine, VectorMeasure::kDotProduct,
                                       VectorMeasure::kEuclidean};
constexpr VectorForm kForms[] = {VectorForm::kFloats, VectorForm::kBytes};

// docs/format/items.md shows these bytes.
TEST(VectorCodeTest, WorkedExample) {
  const std::vector<double> vector = {3, 4};
  EXPECT_EQ(ToHex(EncodeVector(vector, VectorForm::kFloats)),
            "01"
            "0000000000001440"
            "00000000"
            "0000404000008040");
  const std::string bytes = EncodeVector(vector, VectorForm::kBytes);
  EXPECT_EQ(ToHex(bytes),
            "02"
            "0000000000001440"
            "1102013c"
            "0402013d"
            "5f7f");
}

TEST(VectorCodeTest, EstimatesAreWithinTheirError) {
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  for (int round = 0; round < 300; ++round) {
    const size_t dimensions = 1 + random() % 70;
    const double scale = std::pow(10.0, static_cast<int>(random() % 41) - 20);
    const auto make = [&] {
      std::vector<double> vector(dimensions);
      for (double& number : vector) number = random() % 8 == 0 ? 0 : normal(random) * scale;
      return vector;
    };
    const std::vector<double> a = make();
    const std::vector<double> b = make();
    for (const VectorMeasure measure : kMeasures) {
      for (const VectorForm form : kForms) {
        const auto estimate = VectorEstimator(measure, b).Of(EncodeVector(a, form));
        ASSERT_TRUE(estimate.has_value());
        const auto exact = Measure(measure, a, b);
        if (VectorEstimator::IsNone(*estimate)) {
          EXPECT_FALSE(exact.has_value());
        } else if (exact.has_value()) {
          EXPECT_LE(std::abs(*exact - estimate->value), estimate->error)
              << NameOf(measure) << " of " << dimensions;
        }
      }
    }
  }
}

TEST(VectorCodeTest, BytesAreNearEnough) {
  std::mt19937 random(2);
  std::normal_distribution<double> normal;
  std::vector<double> a(512);
  for (double& number : a) number = normal(random);
  const auto estimate =
      VectorEstimator(VectorMeasure::kCosine, a).Of(EncodeVector(a, VectorForm::kBytes));
  EXPECT_NEAR(estimate->value, 1, 0.001);
  EXPECT_LT(estimate->error, 0.02);
}

TEST(VectorCodeTest, WhatCannotBeToldIsPossible) {
  for (const VectorForm form : kForms) {
    for (const std::vector<double>& vector :
         {std::vector<double>{1e300, 1}, std::vector<double>{1e200, 1e200}}) {
      const auto estimate =
          VectorEstimator(VectorMeasure::kEuclidean, {1, 1}).Of(EncodeVector(vector, form));
      ASSERT_TRUE(estimate.has_value());
      const auto exact = Measure(VectorMeasure::kEuclidean, vector, std::vector<double>{1, 1});
      EXPECT_TRUE(!exact.has_value() || std::abs(*exact - estimate->value) <= estimate->error);
    }
  }
}

TEST(VectorCodeTest, DamagedBytes) {
  const VectorEstimator estimator(VectorMeasure::kCosine, {1, 2, 3});
  const std::vector<double> three = {1, 2, 3};
  const std::vector<double> two = {1, 2};
  for (const VectorForm form : kForms) {
    const std::string code = EncodeVector(three, form);
    EXPECT_TRUE(estimator.Of(code).has_value());
    EXPECT_FALSE(estimator.Of(code + "x").has_value());
    EXPECT_FALSE(estimator.Of(code.substr(1)).has_value());
    EXPECT_FALSE(estimator.Of(EncodeVector(two, form)).has_value());
  }
  EXPECT_FALSE(estimator.Of("").has_value());
}

}  // namespace
}  // namespace orrery::model
