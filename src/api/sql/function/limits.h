// The bounds of what built-in functions may make and may be asked to do. All past these ends the
// query with kTooLarge, but for REPLICATE, whose documented bound makes its result undefined.
#pragma once

#include <cstddef>

#include "base/status.h"

namespace orrery::sql {

// Of REPLICATE: documented.
inline constexpr size_t kReplicatedCharactersMax = 10'000;
// One item can hold no more, so no result needs to.
inline constexpr size_t kResultBytesMax = size_t{2} << 20;
// Of an array that a function or an aggregate makes.
inline constexpr size_t kResultElementsMax = size_t{256} << 10;
// Of what is in such an array: about four items of the largest size.
inline constexpr size_t kResultArrayBytesMax = size_t{8} << 20;
// Relations between two compare each edge with each: the product of their points.
inline constexpr size_t kGeometryPairsMax = size_t{256} << 10;

inline Status CheckResultBytes(size_t bytes) {
  if (bytes > kResultBytesMax)
    return Fail(Code::kTooLarge, "the result of a string function exceeds 2 MB");
  return {};
}
inline Status CheckResultElements(size_t elements, size_t bytes = 0) {
  if (elements > kResultElementsMax)
    return Fail(Code::kTooLarge, "an array that a function makes has too many elements");
  if (bytes > kResultArrayBytesMax)
    return Fail(Code::kTooLarge, "an array that a function makes exceeds 8 MB");
  return {};
}

}  // namespace orrery::sql
