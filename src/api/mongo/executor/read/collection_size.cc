#include "api/mongo/executor/read/collection_size.h"

#include "gateway/view/container_ranges.h"

namespace orrery::mongo {

CollectionSize SizeOf(const gateway::Gateway& gateway, const gateway::ContainerEntry& container) {
  CollectionSize size;
  const auto ranges = gateway::RangesOf(gateway, container);
  if (!ranges.has_value()) return size;
  for (const gateway::ContainerRange& range : *ranges) {
    size.bytes += static_cast<int64_t>(range.bytes);
    size.documents += static_cast<int64_t>(range.items);
    ++size.partitions;
  }
  return size;
}

}  // namespace orrery::mongo
