// The feed of a container's partition key ranges, as clients read it that route on their own side.
//
// Read like a change feed: its etag is the newest partition that was told, and who brings it gets
// the ranges that have come since. Ids of partitions rise and are never used again, so children of
// a split, and what a merge made, are always newer.
//
// Pure.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/sql/document/container_names.h"
#include "base/clock.h"
#include "gateway/view/container_ranges.h"
#include "model/value.h"

namespace orrery::sql {

struct RangeFeed {
  std::vector<model::Value> ranges;  // in ring order
  std::string etag;
};

// `since`: the etag of an earlier read; empty, or none of ours, for all.
RangeFeed ReadRanges(const gateway::ContainerEntry& container,
                     std::span<const gateway::ContainerRange> ranges, std::string_view since);

}  // namespace orrery::sql
