#include "storage/memtable/entry_key.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "base/bytes.h"

namespace orrery::storage {
namespace {

constexpr size_t kTrailerBytes = 8;
constexpr int kVarintBytesMax = 5;

uint64_t SequenceOf(const char* trailer) {
  uint64_t packed;
  std::memcpy(&packed, trailer, sizeof(packed));
  if constexpr (std::endian::native == std::endian::big) packed = std::byteswap(packed);
  return packed >> 8;
}

KeyHead HeadOf(std::string_view user_key) {
  if (user_key.size() >= sizeof(KeyHead)) {
    return {.high = LoadBigEndian<uint64_t>(user_key.data()),
            .low = LoadBigEndian<uint64_t>(user_key.data() + sizeof(uint64_t))};
  }
  std::array<char, sizeof(KeyHead)> filled = {};
  std::ranges::copy(user_key, filled.begin());
  return HeadOf({filled.data(), filled.size()});
}

std::string_view InternalKeyOf(const char* entry) {
  uint32_t size = 0;
  for (int i = 0; i < kVarintBytesMax; ++i) {
    const auto byte = static_cast<uint8_t>(*entry++);
    size |= static_cast<uint32_t>(byte & 0x7f) << (7 * i);
    if ((byte & 0x80) == 0) break;
  }
  return {entry, size};
}

}  // namespace

EntryKey EntryKey::OfInternal(std::string_view internal) {
  const std::string_view user_key = internal.substr(0, internal.size() - kTrailerBytes);
  return {.head = HeadOf(user_key),
          .user_key = user_key,
          .sequence = SequenceOf(user_key.data() + user_key.size())};
}

EntryKey EntryKey::OfEntry(const char* entry) { return OfInternal(InternalKeyOf(entry)); }

std::strong_ordering CompareBeyondHead(const char* entry, const EntryKey& key) {
  const std::string_view internal = InternalKeyOf(entry);
  const std::string_view user_key = internal.substr(0, internal.size() - kTrailerBytes);
  const std::strong_ordering order = user_key <=> key.user_key;
  if (order != 0) return order;
  return key.sequence <=> SequenceOf(user_key.data() + user_key.size());
}

}  // namespace orrery::storage
