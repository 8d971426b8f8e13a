// Entries as RocksDB writes them into a memtable, for tests.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/bytes.h"

namespace orrery::storage {

inline std::string MakeInternalKey(std::string_view user_key, uint64_t sequence, uint8_t type = 1) {
  std::string internal(user_key);
  uint64_t trailer = sequence << 8 | type;
  for (int i = 0; i < 8; ++i, trailer >>= 8) internal.push_back(static_cast<char>(trailer));
  return internal;
}

inline std::string MakeEntry(std::string_view user_key, uint64_t sequence,
                             std::string_view value = {}, uint8_t type = 1) {
  std::string entry;
  AppendLengthPrefixed(entry, MakeInternalKey(user_key, sequence, type));
  AppendLengthPrefixed(entry, value);
  return entry;
}

}  // namespace orrery::storage
