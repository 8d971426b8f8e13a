// Sends what RocksDB has to say about an engine to the process's log. Internal to storage/.
#pragma once

#include <memory>
#include <string>

namespace rocksdb {
class Logger;
}

namespace orrery::storage {

// Warnings and errors only, each with `path` before it. No file is written beside the data: a
// thousand engines would keep a thousand, and renaming them is a good part of opening an engine.
std::shared_ptr<rocksdb::Logger> MakeRocksLog(std::string path);

}  // namespace orrery::storage
