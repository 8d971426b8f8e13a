// Returns the size of a collection, as its partitions count.
#pragma once

#include <cstdint>

#include "gateway/gateway.h"

namespace orrery::mongo {

struct CollectionSize {
  int64_t bytes = 0;
  int64_t documents = 0;
  size_t partitions = 0;
};

// Zeros when it was dropped.
CollectionSize SizeOf(const gateway::Gateway& gateway, const gateway::ContainerEntry& container);

}  // namespace orrery::mongo
