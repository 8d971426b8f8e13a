// Brings the logs of an engine that a power cut left torn into a state that RocksDB takes as whole.
// Runs before RocksDB opens the engine. Internal to storage/.
//
// Left to itself RocksDB takes a garbled end of the MANIFEST for corruption, drops everything after
// a damaged place in a write-ahead log whether or not it was acknowledged, and stumbles over
// garbled logs that it keeps.
#pragma once

#include <optional>
#include <string>

#include "base/status.h"
#include "storage/log/log_mark.h"

namespace rocksdb {
class FileSystem;
}

namespace orrery::storage {

// The guarantee that the write-ahead logs of an engine give.
enum class LogPromise {
  kSynced,    // each record was synced before the next was acknowledged: only the end can be torn
  kUnsynced,  // records were acknowledged without a sync: a power cut may damage any of them
};

// Cuts off the torn ends of the write-ahead logs. Under kSynced damage before an end is kCorruption
// and nothing is changed. Under kUnsynced all records from the first damaged or missing one on are
// cut, also those of later logs: what is left is what was written up to some moment.
//
// A log that ends before the `note` of what was synced of it is kCorruption under kSynced, too.
//
// Takes the engine's lock before it changes anything, and leaves alone what another process has
// open. A crash in between loses nothing more: the next call goes on.
Status RepairWriteAheadLogs(rocksdb::FileSystem& file_system, const std::string& directory,
                            LogPromise promise, std::optional<LogNote> note = std::nullopt);

// Cuts off the torn end of the MANIFEST. Nothing relied on it: RocksDB acts on an entry only after
// it was synced. Leaves alone what is sound, or damaged before the end.
Status RepairManifest(rocksdb::FileSystem& file_system, const std::string& directory);

}  // namespace orrery::storage
