// Values as their bytes, for tests.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "api/cassandra/types/collection_codec.h"
#include "api/cassandra/types/native/fixed_size.h"

namespace orrery::cassandra::testing {

// Returns the bytes of an int.
inline std::string Bytes(int32_t value) { return EncodeInteger(value); }

// Returns the bytes of a collection of these elements.
inline std::string Pack(std::vector<std::string> elements) {
  return PackElements(AsViews(elements));
}

}  // namespace orrery::cassandra::testing
