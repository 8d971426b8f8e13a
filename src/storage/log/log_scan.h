// Reads files in RocksDB's log format, the write-ahead logs and the MANIFEST, before RocksDB does.
// Internal to storage/.
#pragma once

#include <rocksdb/file_system.h>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "base/status.h"
#include "storage/log/log_check.h"

namespace orrery::storage {

// Reads the first `limit` bytes of a file, or all when it has fewer, and hands them to `take` in
// blocks of LogCheck::kBlockBytes, the last one maybe shorter. Ends at the first error of either.
rocksdb::IOStatus ReadBlocks(rocksdb::FileSystem& file_system, const std::string& path,
                             uint64_t limit,
                             const std::function<rocksdb::IOStatus(std::string_view)>& take);

// kNotFound when there is no such file. `on_record` as in LogCheck.
Result<LogCheck> ScanLog(rocksdb::FileSystem& file_system, const std::string& path,
                         LogCheck::OnRecord on_record = nullptr);

// The name of the MANIFEST that CURRENT names; empty when it names none.
Result<std::string> CurrentManifest(rocksdb::FileSystem& file_system, const std::string& directory);

// The number of a write-ahead log ("000012.log"); none for other names.
std::optional<uint64_t> LogNumber(std::string_view name);

}  // namespace orrery::storage
