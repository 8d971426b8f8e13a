// Errors of the object store as RocksDB wants to hear them. Internal to storage/rados.
//
// A lost answer to a read may be asked for again; one to a write leaves its outcome unknown, and
// whoever wrote must open anew. A missing file is told from every other error: taken for one, an
// error would make RocksDB begin a fresh database.
#pragma once

#include <rocksdb/io_status.h>

#include <exception>
#include <string_view>

#include "base/status.h"

namespace orrery::storage::rados {

enum class IoKind { kRead, kWrite };

rocksdb::IOStatus ToIoStatus(const Error& error, IoKind kind, std::string_view path);

inline rocksdb::IOStatus ToIoStatus(const Status& status, IoKind kind, std::string_view path) {
  return status.has_value() ? rocksdb::IOStatus::OK() : ToIoStatus(status.error(), kind, path);
}

// Runs `call`, which answers a Status; no exception gets past it.
template <typename Call>
rocksdb::IOStatus Guarded(IoKind kind, std::string_view path, Call&& call) {
  try {
    return ToIoStatus(call(), kind, path);
  } catch (const std::exception& exception) {
    return rocksdb::IOStatus::IOError("an exception in the file system", exception.what());
  }
}

}  // namespace orrery::storage::rados
