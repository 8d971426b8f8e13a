// Where in the engine the entries of an index are that a scan asks for. Pure.
#pragma once

#include <string>

#include "item/layout/key_layout.h"
#include "item/read/reader.h"
#include "partition/map/hash_range.h"

namespace orrery::item {

// The range with bounds as an index has values: cut.
IndexRange Cut(const IndexRange& range);

// Whether all entries of the (cut) range have the same value: then they are in ring order.
bool IsOneValue(const IndexPolicy& policy, const IndexRange& range);

// The entries that begin with `prefix` and a ring position: only the slice's or logical partition's
// own are met.
KeyBounds BoundsOfOneValue(const ScanRequest& request, std::string prefix,
                           const partition::HashRange& range);

// The entries of a (cut) range. Of several values those of other logical partitions, and of what
// else the engine has, are among them: see IsWanted.
KeyBounds IndexBounds(const ScanRequest& request, const IndexRange& index,
                      const ContainerSchema& schema, const partition::HashRange& range);

bool IsWanted(const ScanRequest& request, const DecodedKey& key, const partition::HashRange& range);

}  // namespace orrery::item
