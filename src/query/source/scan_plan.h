// Plans the scans that find documents by an access path (access/access_path.h).
//
// A ScanStream is a list of scans, one after the other, whose documents come in one order: by value
// of the index and then by position on the ring, or by position alone; downwards for a descending
// index. Where several values of an index are wanted each partition gives them in its own order:
// then there is a stream for each, to be merged. The same holds for nearest neighbours: the streams
// of documents that have no place in that order come after those of all that have one. Where
// documents of one value are wanted in a TieOrder, a stream that goes on begins with all of the
// position's bucket. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gateway/gateway.h"
#include "query/access/access_path.h"
#include "query/source/scan_position.h"
#include "query/source/tie_order.h"

namespace orrery::query {

struct ScanStep {
  gateway::ScanSpec spec;
  // Documents at or before this position in the order (behind it: or at it) were given already.
  std::optional<ScanPosition> resume;
  // Documents of this value were given by another step: an index may know values by their first
  // bytes only, and then a bound includes what it should not.
  std::optional<std::string> not_value;
  // Wanted are the documents among these that have no place among the nearest neighbours.
  bool is_unranked = false;
};
using ScanStream = std::vector<ScanStep>;

// The documents that a query may see at all.
struct ScanScope {
  std::optional<gateway::KeyValues> partition_key;
  std::optional<partition::HashRange> range;
  std::string session;
  const TieOrder* ties = nullptr;  // of documents of one value; null: their order on the ring
  enum class Streams : uint8_t {
    kAsNeeded,  // one, or one for each partition, to be merged
    // One, whatever index is read, in no order: it goes on by the continuation of its scans.
    kOne,
    // All documents will be read: where one would do, each partition has its own, so that they are
    // read at once. The order is the same.
    kOneOfEachPartition,
  };
  Streams streams = Streams::kAsNeeded;
};

// `partitions`: the container's ranges. kInvalidArgument when the position is not one of this
// access path's.
Result<std::vector<ScanStream>> PlanScans(const AccessPath& path, const ScanScope& scope,
                                          const item::ContainerSchema& schema,
                                          const std::vector<partition::HashRange>& partitions,
                                          const std::optional<ScanPosition>& resume);

// Returns the scans of entries that say which documents path.index_union finds, among those of
// `scan`.
std::vector<gateway::ScanSpec> UnionScansOf(const AccessPath& path, const gateway::ScanSpec& scan);

}  // namespace orrery::query
