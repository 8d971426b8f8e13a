// Byte strings between our spelling and RocksDB's. Internal to storage/.
#pragma once

#include <rocksdb/slice.h>

#include <string_view>

namespace orrery::storage {

inline rocksdb::Slice ToSlice(std::string_view bytes) { return {bytes.data(), bytes.size()}; }
inline std::string_view ToView(const rocksdb::Slice& slice) { return {slice.data(), slice.size()}; }

}  // namespace orrery::storage
