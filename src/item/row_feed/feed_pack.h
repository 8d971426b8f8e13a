// A feed pack is a stored entry that holds many changes of rows.
//
//   key    := 'G' container lsn hash16        ; the last change's position, the first one's hash
//   pack   := change+                         ; in the order of (lsn, hash, seq)
//   change := step:varint hash16 seq:varint bytes
//   step   := of the first change its position, of the others how far it is from the one before
//   bytes  := length:varint change            ; item/layout/feed_codec.h
//
// Each group of writes leaves one pack for a container, or a few: an entry for each change would
// cost as much again as the row. Sweeps put together what is left of several (row_feed_sweep.h).
//
// A pack spans at most kPackSpan positions, and changes of one position are never in two packs that
// were made together. Packs may overlap, though: two partitions that were merged counted their
// positions separately. Whoever reads kPackSpan ahead meets all changes in order (feed_cursor.h).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "base/hash128.h"
#include "base/ids.h"
#include "base/status.h"

namespace orrery::item {

inline constexpr uint64_t kPackSpan = 256;
// A pack that has so many bytes ends with the position it is at.
inline constexpr size_t kPackBytes = 16 << 10;

// A change in its pack. The view points into bytes that someone else owns.
struct PackedChange {
  Lsn lsn;
  Hash128 hash;
  uint32_t seq = 0;           // within its transaction
  std::string_view change{};  // encoded

  auto place() const { return std::tie(lsn, hash, seq); }
};

struct StoredPack {
  std::string key;
  std::string pack;
};

class PackBuilder {
 public:
  // Returns whether the pack can be continued with a change at `lsn`.
  bool TakesMoreAt(Lsn lsn) const;
  // REQUIRES: TakesMoreAt(its position); in order.
  void Add(const PackedChange& change);
  void Clear() { bytes_.clear(); }

  bool empty() const { return bytes_.empty(); }
  // Replaces what `key` holds. REQUIRES: not empty.
  void WriteKey(std::string& key, ContainerId container) const;
  std::string_view bytes() const { return bytes_; }
  // Both. REQUIRES: not empty.
  StoredPack Build(ContainerId container) const;

 private:
  std::string bytes_;
  Lsn first_;
  Lsn last_;
  Hash128 hash_;
};

// Appends the changes of a pack. kCorruption when the bytes are malformed.
Status DecodePack(std::string_view pack, std::vector<PackedChange>& changes);

}  // namespace orrery::item
