#include "gateway/view/value_filters.h"

#include "item/index/value_filters.h"

namespace orrery::gateway {

Result<size_t> GrowValueFilters(Gateway& gateway, const ContainerEntry& container,
                                item::IndexId index, size_t entries_max) {
  const auto topology = gateway.node().topology();
  size_t entries = 0;
  for (const auto& entry : topology->map->Ranges(container.id)) {
    if (entries >= entries_max) break;
    const auto here = topology->hosted.find(entry.partition);
    if (here == topology->hosted.end()) continue;
    cluster::HostedPartition& partition = *here->second;
    ORRERY_ASSIGN(const size_t read,
                  partition.value_filters().Grow(partition.engine(), partition.sequencer(),
                                                 container.id, index, entries_max - entries));
    entries += read;
  }
  return entries;
}

}  // namespace orrery::gateway
