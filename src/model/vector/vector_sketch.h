// A sketch is a short image of a vector that keeps distances, roughly: what an index is searched by
// without a look at every vector.
//
// Each of its coordinates is the sum of all components of the vector, each with a sign of its own,
// the same for every vector. The square of a coordinate of the difference of two vectors is on
// average the square of their distance, so that of n coordinates together it is spread about n
// times that like a chi-square of n degrees, whatever the vectors are: from how far two sketches
// are apart follows how near the vectors may still be, with a known probability. Nothing is learned
// of other vectors; a sketch never changes with them.
//
//   sketch     := cell rest
//   cell       := level:uint8 * 16        ; of the first 8 coordinates, bit by bit: byte i has the
//                                         ; i-th bit of each, the first coordinate's highest
//   rest       := coordinate:uint16 * 24  ; big-endian
//   coordinate := the upper half of a float32, ordered: the sign flipped, and all bits of negative
//                 ones
//
// Sketches that begin alike are near each other in the first coordinates: in the order of their
// bytes they are a tree, each bit of which halves a box. They are stored: nothing here may change
// without a new kind of index.
//
// Pure.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/vector/vector_measure.h"

namespace orrery::model {

inline constexpr size_t kSketchCoordinates = 32;
inline constexpr size_t kCellCoordinates = 8;
inline constexpr size_t kCellBytes = 16;
inline constexpr size_t kCellBits = kCellBytes * 8;
inline constexpr size_t kSketchBytes = kCellBytes + 2 * (kSketchCoordinates - kCellCoordinates);

// Returns whether sketches tell how near vectors are under this measure: not for inner products,
// which grow with the vectors' lengths.
bool HasSketches(VectorMeasure measure);

// Nothing when the vector cannot be compared, or the measure has none.
std::optional<std::string> SketchOf(VectorMeasure measure, std::span<const double> vector);

// Compares one vector with sketches. Thread-safe.
class SketchComparer {
 public:
  // REQUIRES: the vector has a sketch.
  SketchComparer(VectorMeasure measure, std::span<const double> target);

  // The squared distance below which a vector with this sketch is only by chance, less often than
  // kSketchMisses; between vectors of length 1 where they are compared by their direction.
  // REQUIRES: kSketchBytes bytes.
  double LeastSquare(std::string_view sketch) const;
  // The same for all sketches of which the first `bits` are those of `cell`. REQUIRES: kCellBytes
  // bytes.
  double LeastSquareOfCell(std::string_view cell, size_t bits) const;

 private:
  std::array<double, kSketchCoordinates> target_;
};
inline constexpr double kSketchMisses = 0.01;

// The squared distance of which LeastSquare speaks, of two vectors with this measure.
double SquareOf(VectorMeasure measure, double number);

}  // namespace orrery::model
