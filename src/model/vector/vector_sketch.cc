#include "model/vector/vector_sketch.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/bytes.h"
#include "base/check.h"

namespace orrery::model {
namespace {

using Coordinates = std::array<double, kSketchCoordinates>;

// Of a chi-square of 8 and of 32 degrees: it is above only kSketchMisses of the time.
constexpr double kCellQuantile = 20.090;
constexpr double kSketchQuantile = 53.486;

constexpr double kCoordinateMax = 3e38;  // a float can say no more

constexpr uint64_t kSeed = 0x6f72726572790001;

// The signs of one component in all coordinates, one bit each (splitmix64).
uint32_t SignsOf(size_t component) {
  uint64_t bits = kSeed + (component + 1) * 0x9e3779b97f4a7c15;
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111eb;
  return static_cast<uint32_t>((bits ^ (bits >> 31)) >> 32);
}

// Nothing for a direction of a vector without length. Sums only, in one order: the same on every
// machine.
std::optional<Coordinates> CoordinatesOf(VectorMeasure measure, std::span<const double> vector) {
  const double length = measure == VectorMeasure::kCosine ? LengthOf(vector) : 1;
  if (!(length > 0) || !std::isfinite(length)) return std::nullopt;
  Coordinates coordinates{};
  for (size_t i = 0; i < vector.size(); ++i) {
    const double component = vector[i] / length;
    const uint32_t signs = SignsOf(i);
    for (size_t k = 0; k < kSketchCoordinates; ++k)
      coordinates[k] += (signs >> k & 1) != 0 ? component : -component;
  }
  for (double& coordinate : coordinates)
    coordinate =
        std::isnan(coordinate) ? 0 : std::clamp(coordinate, -kCoordinateMax, kCoordinateMax);
  return coordinates;
}

constexpr uint32_t kSignBit = 0x80000000;

uint16_t Ordered(double coordinate) {
  const auto bits = std::bit_cast<uint32_t>(static_cast<float>(coordinate));
  return static_cast<uint16_t>(((bits & kSignBit) != 0 ? ~bits : bits | kSignBit) >> 16);
}
// The end of what an ordered coordinate stands for, below or above.
double EndOf(uint16_t ordered, bool above) {
  const uint32_t bits = uint32_t{ordered} << 16 | (above ? 0xffff : 0);
  const auto number = std::bit_cast<float>((bits & kSignBit) != 0 ? bits & ~kSignBit : ~bits);
  // No coordinate is beyond the finite ones.
  return std::isnan(number) ? (ordered >> 15 != 0 ? HUGE_VAL : -HUGE_VAL) : double{number};
}

double SquareOutside(double at, uint16_t low, uint16_t high) {
  const double below = EndOf(low, false) - at;
  const double above = at - EndOf(high, true);
  const double outside = std::max({below, above, 0.0});
  return outside * outside;
}

}  // namespace

bool HasSketches(VectorMeasure measure) { return measure != VectorMeasure::kDotProduct; }

std::optional<std::string> SketchOf(VectorMeasure measure, std::span<const double> vector) {
  if (!HasSketches(measure)) return std::nullopt;
  const auto coordinates = CoordinatesOf(measure, vector);
  if (!coordinates.has_value()) return std::nullopt;
  std::string sketch(kCellBytes, '\0');
  for (size_t level = 0; level < kCellBytes; ++level) {
    uint8_t byte = 0;
    for (size_t k = 0; k < kCellCoordinates; ++k)
      byte = static_cast<uint8_t>(byte << 1 | (Ordered((*coordinates)[k]) >> (15 - level) & 1));
    sketch[level] = static_cast<char>(byte);
  }
  for (size_t k = kCellCoordinates; k < kSketchCoordinates; ++k)
    AppendBigEndian(sketch, Ordered((*coordinates)[k]));
  return sketch;
}

SketchComparer::SketchComparer(VectorMeasure measure, std::span<const double> target) {
  const auto coordinates = CoordinatesOf(measure, target);
  ORRERY_CHECK(coordinates.has_value());
  target_ = *coordinates;
}

double SketchComparer::LeastSquare(std::string_view sketch) const {
  double square = 0;
  for (size_t k = 0; k < kSketchCoordinates; ++k) {
    uint16_t at = 0;
    if (k < kCellCoordinates) {
      for (size_t level = 0; level < kCellBytes; ++level)
        at = static_cast<uint16_t>(
            at << 1 | (static_cast<uint8_t>(sketch[level]) >> (kCellCoordinates - 1 - k) & 1));
    } else {
      at = LoadBigEndian<uint16_t>(sketch.data() + kCellBytes + 2 * (k - kCellCoordinates));
    }
    square += SquareOutside(target_[k], at, at);
  }
  return square / kSketchQuantile;
}

double SketchComparer::LeastSquareOfCell(std::string_view cell, size_t bits) const {
  double square = 0;
  for (size_t k = 0; k < kCellCoordinates; ++k) {
    uint16_t low = 0;
    uint16_t high = 0;
    for (size_t level = 0; level < kCellBytes; ++level) {
      const bool known = level * kCellCoordinates + k < bits;
      const auto bit =
          static_cast<uint8_t>(static_cast<uint8_t>(cell[level]) >> (kCellCoordinates - 1 - k) & 1);
      low = static_cast<uint16_t>(low << 1 | (known ? bit : 0));
      high = static_cast<uint16_t>(high << 1 | (known ? bit : 1));
    }
    square += SquareOutside(target_[k], low, high);
  }
  return square / kCellQuantile;
}

double SquareOf(VectorMeasure measure, double number) {
  if (measure == VectorMeasure::kCosine) return std::max(0.0, 2 - 2 * number);
  return number * number;
}

}  // namespace orrery::model
