// Every key that items put into a physical partition's engine is written and read by this file.
//
//   key      := space:uint8 container:uint32 rest                 (integers big-endian)
//   data     := 'D' container hash16 pk rk pk_size                -> record   (record_codec.h)
//   row      := 'R' container hash16 pk ck pk_size                -> row (model/row/row_codec.h)
//   range    := 'X' container hash16 pk lower pk_size             -> row/range_tombstones.h
//   sizes    := 'P' container hash16 pk                           -> sizes    (entry_codec.h)
//   unique   := 'U' container hash16 pk rule:uint8 values pk_size -> holder   (entry_codec.h)
//   index    := 'I' container index:uint64 value hash16 pk rk pk_size value_size
//                                                                 -> entry    (entry_codec.h)
//   feed     := 'F' container lsn:uint64 hash16 seq:uint32        -> change   (feed_codec.h)
//   rowfeed  := 'G' container lsn:uint64 hash16                   -> pack (row_feed/feed_pack.h)
//   expiry   := 'T' container expiry_us:uint64 hash16 pk rk pk_size
//                                                                 -> version  (entry_codec.h)
//   outbox   := 'O' container hash16 lsn:uint64                   -> derived writes
//                                                         (item/outbox/derived_write_codec.h)
//   receipt  := 'N' container hash16 pk name pk_size              -> receipt  (entry_codec.h)
//   commit   := 'C' container hash16 number:uint64                -> commit record
//                                                  (gateway/snapshot/transaction_coordinator.h)
//   *_size   := varint written backwards: read from the key's end, low seven bits first, the high
//               bit says that more precede
//
// hash16 is the ring position of the partition key. pk and rk are tuples of the ordered key codec
// (model/key/key_codec.h): records of one logical partition are adjacent, in row-key order. Within
// one container no tuple is a prefix of another, so the sizes at the end never decide the order;
// they let a key be taken apart without reading its tuples. Every space but 'F', 'G', 'I' and 'T'
// is in ring order, so a split drops whole files of it; entries of 'F', 'I' and 'T' carry the ring
// position for the RetentionRule, a pack has those of its changes.
//
// Of containers of rows, pk is the partition key as Cassandra serializes it, as one component, and
// ck the tuple of clustering values. The row with an empty ck, stored as the byte 00 to come before
// all others, is the partition's own: its static cells and the deletion of the whole partition.
//
// Space bytes are stored: never reuse one. docs/format/items.md has a worked example.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/hash128.h"
#include "base/ids.h"
#include "partition/map/hash_range.h"

namespace orrery::item {

enum class Space : char {
  kCommit = 'C',
  kData = 'D',
  kFeed = 'F',
  kRowFeed = 'G',
  kIndex = 'I',
  kReceipt = 'N',
  kOutbox = 'O',
  kSizes = 'P',
  kRow = 'R',
  kExpiry = 'T',
  kUnique = 'U',
  kRangeTombstone = 'X',
};
inline constexpr Space kSpaces[] = {Space::kCommit,  Space::kData,   Space::kFeed,
                                    Space::kRowFeed, Space::kIndex,  Space::kReceipt,
                                    Space::kOutbox,  Space::kSizes,  Space::kRow,
                                    Space::kExpiry,  Space::kUnique, Space::kRangeTombstone};
// Those that are in ring order.
inline constexpr Space kRingSpaces[] = {Space::kCommit, Space::kData,          Space::kReceipt,
                                        Space::kOutbox, Space::kSizes,         Space::kRow,
                                        Space::kUnique, Space::kRangeTombstone};

// Names the index that an entry belongs to: a path of the indexing policy, or a named definition.
using IndexId = StrongId<struct IndexIdTag, uint64_t>;

// Identifies one item in its container.
struct ItemKey {
  Hash128 hash;
  std::string partition_key;  // encoded tuple
  std::string row_key;        // encoded tuple

  friend bool operator==(const ItemKey&, const ItemKey&) = default;
};

// The same without owning the bytes.
struct ItemRef {
  ItemRef(Hash128 at, std::string_view pk, std::string_view rk)
      : hash(at), partition_key(pk), row_key(rk) {}
  ItemRef(const ItemKey& key)  // NOLINT: an ItemKey is usable as its reference
      : hash(key.hash), partition_key(key.partition_key), row_key(key.row_key) {}

  Hash128 hash;
  std::string_view partition_key;
  std::string_view row_key;
};

// The prefix that all keys of a container in a space share; its end is PrefixEnd(prefix).
std::string SpacePrefix(Space space, ContainerId container);
// The least string greater than all strings that begin with `prefix`; empty when there is none.
std::string PrefixEnd(std::string prefix);

// Prefixes in the spaces that are in ring order.
std::string RingPrefix(Space space, ContainerId container, Hash128 hash);
std::string LogicalPartitionPrefix(Space space, ContainerId container, Hash128 hash,
                                   std::string_view partition_key);
// [lower, upper) of a ring range in such a space.
struct KeyBounds {
  std::string lower;
  std::string upper;
};
KeyBounds RingBounds(Space space, ContainerId container, const partition::HashRange& range);

// Each replaces what `out` holds, so that one buffer serves for many keys.
void WriteDataKey(std::string& out, ContainerId container, ItemRef item);
void WriteRowKey(std::string& out, ContainerId container, ItemRef item);
void WriteRangeTombstoneKey(std::string& out, ContainerId container, ItemRef lower);
void WriteSizesKey(std::string& out, ContainerId container, Hash128 hash,
                   std::string_view partition_key);
void WriteUniqueKey(std::string& out, ContainerId container, Hash128 hash,
                    std::string_view partition_key, uint8_t rule, std::string_view values);
void WriteIndexKey(std::string& out, ContainerId container, IndexId index, std::string_view value,
                   ItemRef item);
void WriteFeedKey(std::string& out, ContainerId container, Lsn lsn, Hash128 hash, uint32_t seq);
void WriteRowFeedKey(std::string& out, ContainerId container, Lsn lsn, Hash128 hash);
void WriteExpiryKey(std::string& out, ContainerId container, Micros expiry, ItemRef item);
void WriteOutboxKey(std::string& out, ContainerId container, Hash128 hash, Lsn lsn);
void WriteCommitKey(std::string& out, ContainerId container, Hash128 hash, uint64_t number);
void WriteReceiptKey(std::string& out, ContainerId container, Hash128 hash,
                     std::string_view partition_key, std::string_view name);

std::string DataKey(ContainerId container, ItemRef item);
std::string SizesKey(ContainerId container, Hash128 hash, std::string_view partition_key);
std::string FeedKey(ContainerId container, Lsn lsn, Hash128 hash, uint32_t seq);
// All entries of an index; all entries of a container's feed at or after an LSN.
std::string IndexPrefix(ContainerId container, IndexId index);
std::string FeedPrefix(ContainerId container, Lsn lsn);
// All packs of a container of rows that end at or after an LSN.
std::string RowFeedPrefix(ContainerId container, Lsn lsn);
// All expiry entries at or after a time.
std::string ExpiryPrefix(ContainerId container, Micros expiry);

// A key taken apart. Views point into the key that was decoded.
struct DecodedKey {
  Space space = Space::kData;
  ContainerId container;
  Hash128 hash;
  std::string_view partition_key;  // all but kFeed, kRowFeed, kOutbox, kCommit
  std::string_view row_key;        // kData, kRow, kIndex, kExpiry; kRangeTombstone: where it begins
  Lsn lsn;                         // kFeed, kRowFeed, kOutbox
  uint32_t seq = 0;                // kFeed
  uint64_t number = 0;             // kCommit
  IndexId index;                   // kIndex
  uint8_t unique_rule = 0;         // kUnique
  std::string_view value;  // kIndex: the indexed value; kUnique: the values; kReceipt: the name
  Micros expiry{0};        // kExpiry

  ItemRef ref() const { return {hash, partition_key, row_key}; }
  ItemKey item() const { return {hash, std::string(partition_key), std::string(row_key)}; }
};
// nullopt when the bytes are not a key of this layout (also for the partition's own meta space).
std::optional<DecodedKey> DecodeKey(std::string_view key);

}  // namespace orrery::item
