// Returns the value that replaces one that its reader may not see, by its type.
#pragma once

#include <string>

#include "api/cassandra/types/type.h"
#include "base/status.h"

namespace orrery::cassandra {

// Four asterisks, zero, false, 1970, no elements; tuples, UDTs and vectors of such. The largest
// vectors make it large: kInvalidArgument above kMaskBytesMax, and for custom types.
inline constexpr size_t kMaskBytesMax = size_t{1} << 20;
Result<std::string> DefaultMask(const Type& type);

}  // namespace orrery::cassandra
