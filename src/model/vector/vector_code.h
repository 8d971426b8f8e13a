// A vector code is the short form of a vector that an index keeps, with a bound on its error, so
// that a reader can tell which vectors cannot be among the nearest neighbours without reading the
// documents of the others.
//
//   code   := form:uint8 length:float64 error:float32 body
//   body   := component:float32 * n              ; form 1
//           | scale:float32 component:int8 * n   ; form 2: a component times the scale
//
// All little-endian, as machines compute with them. `length` is the vector's own; `error` is the
// length of what the body is beside it, rounded up: infinite when it cannot be told, and the body
// is zeros then. docs/format/items.md has a worked example.
//
// Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/vector/vector_measure.h"

namespace orrery::model {

enum class VectorForm : uint8_t { kFloats = 1, kBytes = 2 };

std::string EncodeVector(std::span<const double> vector, VectorForm form);

// An estimate of a measure: within `error` of the true value; `error` may be infinite.
struct MeasureEstimate {
  double value = 0;
  double error = 0;
};

// Compares one vector with many codes. Thread-safe.
class VectorEstimator {
 public:
  VectorEstimator(VectorMeasure measure, std::vector<double> target);

  // Nothing when the bytes are no code of as many dimensions.
  std::optional<MeasureEstimate> Of(std::string_view code) const;
  // Of a code by which there certainly is no number: see Measure.
  static bool IsNone(const MeasureEstimate& estimate) { return estimate.error < 0; }

 private:
  MeasureEstimate ByProduct(double product, double length, double error) const;

  const VectorMeasure measure_;
  const std::vector<double> target_;
  const double length_;
};

}  // namespace orrery::model
