// Looks at a directory before RocksDB is let at it, because RocksDB would make a fresh database in
// a foreign directory, or over the remains of an old one. Internal to storage/.
//
// Reads only. Another process may have the engine open: RocksDB's lock decides that afterwards.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"

namespace rocksdb {
class FileSystem;
}

namespace orrery::storage {

enum class DirectoryContent {
  kMissing,
  kNothing,  // empty, or the leavings of a creation that did not reach its end
  kEngine,
};

// kInvalidArgument when the directory holds other files or is none; kCorruption when it holds
// tables or logs without the file that names them.
Result<DirectoryContent> InspectDirectory(rocksdb::FileSystem& file_system,
                                          const std::string& path);

// The names in a directory, without "." and "..".
Result<std::vector<std::string>> NamesIn(rocksdb::FileSystem& file_system, const std::string& path);

}  // namespace orrery::storage
