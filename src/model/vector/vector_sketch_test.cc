#include "model/vector/vector_sketch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "base/bytes.h"

namespace orrery::model {
namespace {

std::vector<double> RandomVector(size_t dimensions, std::mt19937& random) {
  std::normal_distribution<double> normal;
  std::vector<double> vector(dimensions);
  for (double& number : vector) number = normal(random);
  return vector;
}

double SquareBetween(VectorMeasure measure, const std::vector<double>& a,
                     const std::vector<double>& b) {
  return SquareOf(measure, *Measure(measure, a, b));
}

// docs/format/items.md shows these bytes.
TEST(VectorSketchTest, WorkedExample) {
  const std::vector<double> vector = {3, 4};
  const auto sketch = SketchOf(VectorMeasure::kEuclidean, vector);
  ASSERT_TRUE(sketch.has_value());
  EXPECT_EQ(ToHex(sketch->substr(0, kCellBytes)), "447c838383838383447c7cbbbbbbbbbb");
  EXPECT_EQ(ToHex(sketch->substr(kCellBytes)),
            "3f1f407f407f407fc0e0407fbf80bf80c0e0bf80407fc0e0"
            "407fbf80407f407f3f1f3f1f3f1f407fc0e0c0e0bf803f1f");
}

TEST(VectorSketchTest, OnlyOfWhatCanBeCompared) {
  const std::vector<double> nothing = {0, 0};
  const std::vector<double> vector = {1, 2};
  EXPECT_FALSE(SketchOf(VectorMeasure::kCosine, nothing).has_value());
  EXPECT_TRUE(SketchOf(VectorMeasure::kEuclidean, nothing).has_value());
  EXPECT_FALSE(SketchOf(VectorMeasure::kDotProduct, vector).has_value());
  const std::vector<double> great = {1e300, -1e300};
  EXPECT_TRUE(SketchOf(VectorMeasure::kEuclidean, great).has_value());
}

TEST(VectorSketchTest, DirectionAlone) {
  const std::vector<double> vector = {1, 2, -5};
  const std::vector<double> longer = {4, 8, -20};
  EXPECT_EQ(SketchOf(VectorMeasure::kCosine, vector), SketchOf(VectorMeasure::kCosine, longer));
  EXPECT_NE(SketchOf(VectorMeasure::kEuclidean, vector),
            SketchOf(VectorMeasure::kEuclidean, longer));
}

// LeastSquare exceeds the true value only by chance.
TEST(VectorSketchTest, MissesAreRare) {
  std::mt19937 random(3);
  for (const auto measure : {VectorMeasure::kCosine, VectorMeasure::kEuclidean}) {
    for (const size_t dimensions : {2u, 16u, 100u}) {
      int missed = 0;
      int missed_by_cell = 0;
      constexpr int kRounds = 600;
      for (int round = 0; round < kRounds; ++round) {
        const std::vector<double> a = RandomVector(dimensions, random);
        std::vector<double> b = RandomVector(dimensions, random);
        const double mix = static_cast<double>(round % 10) / 10;
        for (size_t i = 0; i < dimensions; ++i) b[i] = mix * a[i] + (1 - mix) * b[i];
        const std::string sketch = *SketchOf(measure, b);
        const SketchComparer comparer(measure, a);
        const double square = SquareBetween(measure, a, b);
        const double slack = 1.0001 * square + 1e-9;
        missed += comparer.LeastSquare(sketch) > slack;
        const size_t bits = static_cast<size_t>(round) % (kCellBits + 1);
        missed_by_cell += comparer.LeastSquareOfCell(sketch, bits) > slack;
      }
      EXPECT_LE(missed, 0.025 * kRounds) << dimensions;
      EXPECT_LE(missed_by_cell, 0.025 * kRounds) << dimensions;
    }
  }
}

// A cell is no farther away than what is in it.
TEST(VectorSketchTest, CellsAroundTheirSketches) {
  std::mt19937 random(4);
  for (int round = 0; round < 100; ++round) {
    const std::vector<double> a = RandomVector(8, random);
    const SketchComparer comparer(VectorMeasure::kEuclidean, a);
    const std::string sketch = *SketchOf(VectorMeasure::kEuclidean, RandomVector(8, random));
    double last = 0;
    for (size_t bits = 0; bits <= kCellBits; ++bits) {
      const double square = comparer.LeastSquareOfCell(sketch, bits);
      EXPECT_GE(square, last);
      last = square;
    }
    EXPECT_EQ(comparer.LeastSquareOfCell(sketch, 0), 0);
  }
}

}  // namespace
}  // namespace orrery::model
