// The one place where RocksDB's errors become ours. Internal to storage/.
//
// Codes are chosen by what the caller can do, so the same RocksDB status may map differently by
// where it arose: a missing file is kNotFound for a path the caller named, and kCorruption when it
// is one of the engine's own.
#pragma once

#include <string_view>

#include "base/status.h"

namespace rocksdb {
class Status;
}

namespace orrery::storage {

// REQUIRES: !status.ok(). `doing` says what failed, with the path: "flushing '/data/p1'".
Error MapError(const rocksdb::Status& status, std::string_view doing);

// The same for a read or write of the engine's own files.
Error MapEngineError(const rocksdb::Status& status, std::string_view doing);

// Status or error; `doing` is only examined on errors.
Status MapStatus(const rocksdb::Status& status, std::string_view doing, std::string_view path);

}  // namespace orrery::storage
