// Finds the object of the store that holds a partition's directory: the disks that have its copies
// are those that the partition depends on first.
#pragma once

#include <map>
#include <string>

#include "base/ids.h"
#include "base/status.h"
#include "storage/rados/object/object_store.h"

namespace orrery::server {

// Of all partitions that have one; those that are being made or removed may be among them. Errors
// are the store's, kCorruption when a directory cannot be read.
Result<std::map<PartitionId, std::string>> FindPartitionDirectories(
    storage::rados::ObjectStore& store);

}  // namespace orrery::server
