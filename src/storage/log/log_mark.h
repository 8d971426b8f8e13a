// A file in an engine's directory that names the newest write-ahead log there was when the engine
// was opened last. RocksDB always has that log or a later one; where neither is found the logs were
// taken away, and acknowledged writes with them. RocksDB itself notices only closed logs that are
// missing. Internal to storage/.
//
// The file is not synced: after a power cut an older mark, or none, notices less. A copy of an
// engine (a checkpoint) has none, because it may have no log.
//
//   mark := decimal number of the log, "\n"
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"

namespace rocksdb {
class FileSystem;
}

namespace orrery::storage {

inline constexpr std::string_view kLogMark = "NEWEST-LOG";

// kCorruption when the logs that the mark speaks of are missing. Before the engine is opened.
Status CheckLogMark(rocksdb::FileSystem& file_system, const std::string& directory);
// Notes the newest log. After the engine was opened. What cannot be written is left as it is.
void SetLogMark(rocksdb::FileSystem& file_system, const std::string& directory);
void ClearLogMark(rocksdb::FileSystem& file_system, const std::string& directory);

}  // namespace orrery::storage
