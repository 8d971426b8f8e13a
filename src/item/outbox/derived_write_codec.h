// Encodes the derived writes of one write for the outbox.
//
//   derived   := version:uint8 (2) write*
//   write     := container:varint maintains_views:uint8 partition_key:bytes
//                rows:varint row*rows ranges:varint range*ranges
//                ; version 1 lacks the byte and does not maintain views
//   row       := clustering:bytes change:bytes            ; change: model/row/row_codec.h
//   range     := lower:bytes tombstone:bytes              ; item/row/range_tombstones.h
//   bytes     := length:varint data
//
// docs/format/rows.md has a worked example.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "item/row/row_changes.h"

namespace orrery::item {

// Replaces what `out` holds. Two lists become one, so that nobody has to join them first.
// REQUIRES: DerivedWriteCheck took them.
void EncodeDerivedWrites(std::string& out, std::span<const DerivedWrite> first,
                         std::span<const DerivedWrite> second);

// kCorruption when the bytes are malformed. What it returns can be delivered: its rows can be read.
Result<std::vector<DerivedWrite>> DecodeDerivedWrites(std::string_view bytes);

}  // namespace orrery::item
