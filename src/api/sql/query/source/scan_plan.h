// From how documents are to be found (index/access_path.h) to the scans that find them.
//
// A ScanStream is a list of scans, one after the other, whose documents come in one order: by value
// of the index and then by place on the ring, or by place alone; downwards for a descending index.
// Where several values of an index are wanted each partition gives them in its own order: then
// there is a stream for each, to be merged. The same holds for what comes by nearness: the streams
// of documents that have no place in that order come after those of all that have one. Where
// documents of one value are wanted by rid, a stream that goes on begins with all of the position's
// bucket. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/sql/query/index/access_path.h"
#include "api/sql/query/source/scan_position.h"
#include "gateway/gateway.h"

namespace orrery::sql {

struct ScanStep {
  gateway::ScanSpec spec;
  // Documents at or before this place in the order (behind it: or at it) were given already.
  std::optional<ScanPosition> resume;
  // Documents of this value were given by another step: an index may know values by their first
  // bytes only, and then a bound includes what it should not.
  std::optional<std::string> not_value;
  // Wanted are the documents among these that have no place in the order of nearness.
  bool is_unranked = false;
};
using ScanStream = std::vector<ScanStep>;

// Which documents a query may see at all.
struct ScanScope {
  std::optional<gateway::KeyValues> partition_key;
  std::optional<partition::HashRange> range;
  std::string session;
  bool ties_by_rid = false;  // documents of one value are wanted in the order of their rids
};

// `partitions`: the container's ranges. kInvalidArgument when the position is not one of this
// access path's.
Result<std::vector<ScanStream>> PlanScans(const AccessPath& path, const ScanScope& scope,
                                          const item::ContainerSchema& schema,
                                          const std::vector<partition::HashRange>& partitions,
                                          const std::optional<ScanPosition>& resume);

// The scans of entries that say which documents one of path.any_of finds, among those of `scan`.
std::vector<gateway::ScanSpec> KeyScansOf(const AccessPath& path, const gateway::ScanSpec& scan);

}  // namespace orrery::sql
