// Computes the key ranges of the index entries that a scan reads, and of the records of a logical
// partition. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "item/layout/key_layout.h"
#include "item/read/reader.h"
#include "partition/map/hash_range.h"

namespace orrery::item {

// The intervals of a range, rising, with bounds as its index has values: cut, unless the policy
// keeps them whole.
std::vector<ValueInterval> CutIntervals(const IndexPolicy& policy, const IndexRange& range);

// Returns whether a stored value is in a (cut) interval.
bool IsWithin(const ValueInterval& interval, std::string_view value);

// Returns whether all entries of the (cut) interval have the same value: then they are in ring
// order.
bool IsOneValue(const IndexPolicy& policy, IndexId index, const ValueInterval& interval);

// The records that the request asks for. REQUIRES: request.partition_key.
KeyBounds PartitionBounds(const ScanRequest& request, ContainerId container);

// The entries that begin with `prefix` and a ring position: only the slice's or logical partition's
// own are met.
KeyBounds BoundsOfOneValue(const ScanRequest& request, std::string prefix,
                           const partition::HashRange& range);

// The entries of a (cut) interval. Of several values those of other logical partitions, and of what
// else the engine has, are among them: see IsWanted.
KeyBounds IndexBounds(const ScanRequest& request, IndexId index, const ValueInterval& interval,
                      const ContainerSchema& schema, const partition::HashRange& range);

bool IsWanted(const ScanRequest& request, const DecodedKey& key, const partition::HashRange& range);

}  // namespace orrery::item
