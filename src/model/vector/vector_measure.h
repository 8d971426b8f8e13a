// Vectors of numbers, and how near two of them are to each other.
//
//   cosine      similarity from -1 to 1
//   dotproduct  the sum of the products
//   euclidean   the length of the difference
//
// Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "model/document/document.h"
#include "model/value.h"

namespace orrery::model {

// Stored in peers' messages: never renumber one, only add.
enum class VectorMeasure : uint8_t { kCosine, kDotProduct, kEuclidean };

// Azure Cosmos DB indexes no longer ones.
inline constexpr size_t kVectorDimensionsMax = 4096;

// By its name above, in letters of either case.
std::optional<VectorMeasure> FindVectorMeasure(std::string_view name);
std::string_view NameOf(VectorMeasure measure);

// Returns whether the nearest vector has the least number, not the greatest.
inline bool IsDistance(VectorMeasure measure) { return measure == VectorMeasure::kEuclidean; }

// An array of numbers, one or more. Nothing when it is something else.
std::optional<std::vector<double>> VectorOf(const Value& value);
// The same of a stored array, which must have so many.
std::optional<std::vector<double>> VectorOf(const ElementView& element, size_t dimensions);

double LengthOf(std::span<const double> vector);

// Nothing when it is no finite number: a vector without length has no direction to compare.
// REQUIRES: both have the same number of dimensions.
std::optional<double> Measure(VectorMeasure measure, std::span<const double> a,
                              std::span<const double> b);

}  // namespace orrery::model
