// Keeps RocksDB from asking whether it has a log archive. Internal to storage/.
//
// Engines never archive logs, yet each checkpoint and each reading of the log looks for the
// directory, and RocksDB 7.8 handles an error of that look wrongly: it goes on as if all was well,
// or ends the process where it is built with assertions, as Debian's is.
#pragma once

#include <memory>

namespace rocksdb {
class FileSystem;
}

namespace orrery::storage {

// `target` with every directory named "archive" missing.
std::shared_ptr<rocksdb::FileSystem> WithoutArchives(
    const std::shared_ptr<rocksdb::FileSystem>& target);

}  // namespace orrery::storage
