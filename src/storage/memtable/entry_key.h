// An EntryKey orders the entries of a memtable: by user key as bytes, and of one key the newest
// first. Knows nothing of RocksDB's classes; the bytes are those RocksDB fixes for a memtable
// (MemTable::Add):
//
//   entry    := size:varint32 internal value_size:varint32 value
//   internal := user_key trailer:uint64           ; size counts both; little-endian
//   trailer  := sequence << 8 | type
//
// The type does not take part in the order: two entries of one key and one sequence are the same
// entry, whatever they do to the key. Entries come from RocksDB's own memory, not from a disk.
#pragma once

#include <compare>
#include <cstdint>
#include <string_view>

namespace orrery::storage {

// The first 16 bytes of a user key as numbers, filled up with zeros. Two heads that differ are in
// the order of their keys; of two that are equal the keys decide. Most keys of a partition differ
// here: a space, a container and 11 bytes of a hash or an LSN (item/layout/key_layout.h).
struct KeyHead {
  uint64_t high = 0;
  uint64_t low = 0;

  auto operator<=>(const KeyHead&) const = default;
};

// A key taken apart, to be compared with many entries. Views the bytes it was made of.
struct EntryKey {
  KeyHead head;
  std::string_view user_key;
  uint64_t sequence = 0;

  // REQUIRES: an internal key: at least its trailer.
  static EntryKey OfInternal(std::string_view internal);
  // REQUIRES: the beginning of an entry, up to the trailer.
  static EntryKey OfEntry(const char* entry);
};

// The order of `entry`, whose head is known to equal that of `key`, and `key`.
std::strong_ordering CompareBeyondHead(const char* entry, const EntryKey& key);

}  // namespace orrery::storage
