#include "cluster/record/merge_record.h"

#include <fmt/core.h>

#include <algorithm>
#include <string_view>

namespace orrery::cluster {
namespace {

std::unexpected<Error> Refuse(const PartitionRecord& left, const PartitionRecord& right,
                              std::string_view why) {
  return Fail(Code::kPreconditionFailed, fmt::format("partitions {} and {} cannot be merged: {}",
                                                     left.id.value(), right.id.value(), why));
}

Slice Join(const Slice& low, const Slice& high) {
  return {low.container, partition::HashRange::Inclusive(low.range.begin(), high.range.last()),
          low.begin_epk};
}

}  // namespace

Result<PartitionRecord> MergeRecords(const PartitionRecord& left, const PartitionRecord& right,
                                     PartitionId id) {
  if (left.id == right.id) return Refuse(left, right, "they are the same");
  if (left.throughput_owner != right.throughput_owner) {
    return Refuse(left, right,
                  "they belong to different containers, or databases that share throughput");
  }
  PartitionRecord merged{.id = id,
                         .epoch = std::max(left.epoch, right.epoch),
                         .throughput_owner = left.throughput_owner,
                         .slices = left.slices,
                         .parents = AncestryFrom({&left, &right})};
  for (const Slice& slice : right.slices) {
    const auto own = std::ranges::find(merged.slices, slice.container, &Slice::container);
    if (own == merged.slices.end()) {
      merged.slices.push_back(slice);
    } else if (own->range.Precedes(slice.range)) {
      *own = Join(*own, slice);
    } else if (slice.range.Precedes(own->range)) {
      *own = Join(slice, *own);
    } else {
      return Refuse(left, right,
                    fmt::format("their ranges of a container, {} and {}, are not neighbours",
                                own->range.ToString(), slice.range.ToString()));
    }
  }
  return merged;
}

}  // namespace orrery::cluster
