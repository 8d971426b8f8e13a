#include "cluster/record/record_check.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>

namespace orrery::cluster {
namespace {

std::unexpected<Error> Damaged(PartitionId id, std::string_view what) {
  return Fail(Code::kCorruption,
              fmt::format("the record of partition {} does not hold: {}; the list of partitions in "
                          "the system store is damaged: restore the data directory from a backup",
                          id.value(), what));
}

struct Placed {
  partition::HashRange range;
  PartitionId partition;
};

Status CheckRing(ContainerId container, std::vector<Placed>& slices) {
  std::ranges::sort(slices, {}, &Placed::range);
  if (const Placed& first = slices.front(); first.range.begin() != Hash128::Min()) {
    return Damaged(first.partition, fmt::format("nobody has container {} below its range {}",
                                                container.value(), first.range.ToString()));
  }
  for (size_t i = 1; i < slices.size(); ++i) {
    const Placed& left = slices[i - 1];
    const Placed& right = slices[i];
    if (left.range.Precedes(right.range)) continue;
    if (right.range.begin() <= left.range.last()) {
      return Damaged(right.partition, fmt::format("its range {} of container {} overlaps that of "
                                                  "partition {}, {}",
                                                  right.range.ToString(), container.value(),
                                                  left.partition.value(), left.range.ToString()));
    }
    return Damaged(right.partition,
                   fmt::format("nobody has container {} between {} of partition {} and its {}",
                               container.value(), left.range.ToString(), left.partition.value(),
                               right.range.ToString()));
  }
  if (const Placed& last = slices.back(); !last.range.reaches_top()) {
    return Damaged(last.partition, fmt::format("nobody has container {} above its range {}",
                                               container.value(), last.range.ToString()));
  }
  return {};
}

}  // namespace

Status CheckRecords(const std::vector<PartitionRecord>& records,
                    const std::function<bool(ContainerId)>& known) {
  std::set<PartitionId> ids;
  std::map<ContainerId, std::vector<Placed>> rings;
  for (const PartitionRecord& record : records) {
    if (!ids.insert(record.id).second) return Damaged(record.id, "another record has its id");
    std::set<ContainerId> hosted;
    for (const Slice& slice : record.slices) {
      if (!known(slice.container)) {
        return Damaged(record.id, fmt::format("it holds a part of container {}, which is not in "
                                              "the catalog",
                                              slice.container.value()));
      }
      if (!hosted.insert(slice.container).second) {
        return Damaged(record.id,
                       fmt::format("it names container {} twice", slice.container.value()));
      }
      rings[slice.container].push_back({slice.range, record.id});
    }
  }
  for (auto& [container, slices] : rings) ORRERY_TRY(CheckRing(container, slices));
  return {};
}

}  // namespace orrery::cluster
