// Reads files in RocksDB's log format, the write-ahead logs and the MANIFEST, before RocksDB does,
// and deals with their ends. Internal to storage/.
#pragma once

#include <string>

#include "base/status.h"
#include "storage/log/log_check.h"

namespace rocksdb {
class FileSystem;
}

namespace orrery::storage {

// kNotFound when there is no such file.
Result<LogCheck> ScanLog(rocksdb::FileSystem& file_system, const std::string& path);

// kCorruption when a write-ahead log in the engine's directory is damaged before its end.
Status CheckWriteAheadLogs(rocksdb::FileSystem& file_system, const std::string& directory);

// Cuts off the end of the MANIFEST that a power cut garbled, which RocksDB would take for
// corruption. Nothing relied on it: RocksDB acts on an entry only after it was synced. Takes the
// engine's lock for that; leaves alone what is sound or damaged before the end.
Status MendManifest(rocksdb::FileSystem& file_system, const std::string& directory);

}  // namespace orrery::storage
