// Encodes one change of the feed space.
//
//   change := kind:uint8 flags:uint8 time_us:varint previous_lsn:varint pk:bytes rk:bytes
//             [image] [note]
//   bytes  := length:varint data
//   image  := bytes                      ; BSON after the change, or before it for a delete;
//                                        ; of rows: the range tombstone
//                                        (item/row/range_tombstones.h)
//   note   := bytes                      ; what the writer says of the change, opaque to the core
//   flags  := bit 0: superseded (kept for all-versions readers only), bit 1: by expiry,
//             bit 2: image follows, bit 3: note follows
//
// A delete is always superseded: there is no live item it could be the last change of.
// docs/format/items.md has a worked example.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/ids.h"
#include "base/status.h"

namespace orrery::item {

enum class ChangeKind : uint8_t { kCreate = 1, kReplace = 2, kDelete = 3 };

// Views point into bytes that someone else owns: the decoded entry, or the item being written.
struct Change {
  ChangeKind kind = ChangeKind::kCreate;
  bool superseded = false;
  bool by_expiry = false;
  Micros time{0};
  Lsn previous_lsn{};  // 0 for a create
  std::string_view partition_key{};
  std::string_view row_key{};
  std::optional<std::string_view> image{};
  std::string_view note{};  // empty: none
};

void AppendChange(std::string& out, const Change& change);
// Replaces what `out` holds.
void WriteChange(std::string& out, const Change& change);
// kCorruption when the bytes are no change.
Result<Change> DecodeChange(std::string_view bytes);

}  // namespace orrery::item
