// A file in an engine's directory that says: the logs here hold writes that were acknowledged
// without being synced (Durability::kOs). Opening the engine after a power cut then knows that a
// damaged log is what was to be expected, not the loss of something durable. Internal to storage/.
//
// It is there before the first such write is acknowledged, and goes when the engine was opened
// again: what was in the logs is in synced tables by then.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"

namespace rocksdb {
class FileSystem;
}

namespace orrery::storage {

inline constexpr std::string_view kUnsyncedMark = "UNSYNCED";

Result<bool> HasUnsyncedMark(rocksdb::FileSystem& file_system, const std::string& directory);
// Durable on return, both. Clearing is OK when there is none.
Status SetUnsyncedMark(rocksdb::FileSystem& file_system, const std::string& directory);
Status ClearUnsyncedMark(rocksdb::FileSystem& file_system, const std::string& directory);

}  // namespace orrery::storage
