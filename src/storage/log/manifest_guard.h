// Keeps RocksDB from deleting the MANIFEST that CURRENT names. Internal to storage/.
//
// After a failed write to its MANIFEST RocksDB 7.8 means to begin a new one, and takes the old one
// for obsolete: the next clearing of files deletes it, while CURRENT still names it, and the engine
// can never be opened again. A MANIFEST that was really replaced is no longer named.
#pragma once

#include <memory>

namespace rocksdb {
class FileSystem;
}

namespace orrery::storage {

// `target`, where deleting a MANIFEST that is in use does nothing. Not for destroying engines.
std::shared_ptr<rocksdb::FileSystem> WithManifestsKept(std::shared_ptr<rocksdb::FileSystem> target);

}  // namespace orrery::storage
