// How the followers of one write are stored in the outbox.
//
//   followers := version:uint8 (2) follower*
//   follower  := container:varint attended:uint8 partition_key:bytes rows:varint row*rows
//                ranges:varint range*ranges             ; version 1: not attended, without the byte
//   row       := clustering:bytes change:bytes            ; change: model/row/row_codec.h
//   range     := lower:bytes cleared:bytes                ; cleared: item/row/cleared_ranges.h
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
// REQUIRES: FollowerCheck took them.
void EncodeFollowers(std::string& out, std::span<const Follower> first,
                     std::span<const Follower> second);

// kCorruption when the bytes are none. What it returns can be delivered: its rows can be read.
Result<std::vector<Follower>> DecodeFollowers(std::string_view bytes);

}  // namespace orrery::item
