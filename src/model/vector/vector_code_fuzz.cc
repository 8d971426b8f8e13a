// Any bytes in the place of a vector must give no estimate, or one with a number and an error.
#include <cmath>
#include <cstdint>

#include "base/check.h"
#include "model/vector/vector_code.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using orrery::model::VectorEstimator;
  using orrery::model::VectorMeasure;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  for (const auto measure :
       {VectorMeasure::kCosine, VectorMeasure::kDotProduct, VectorMeasure::kEuclidean}) {
    const auto estimate = VectorEstimator(measure, {1, -2, 0.5}).Of(bytes);
    if (!estimate.has_value()) continue;
    ORRERY_CHECK(std::isfinite(estimate->value) && !std::isnan(estimate->error));
  }
  return 0;
}
