// The rows of one logical partition that a write examined, as they were at its turn: what the
// owner of a partition sends to whoever decides on them elsewhere.
//
//   seen   := now:time n:number row*n n:number looked*n
//   row    := clustering:bytes before:maybe after:maybe      ; model/row/row_codec.h
//   looked := clustering:bytes row:bytes
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/hash128.h"
#include "gateway/remote/message.h"
#include "model/row/row.h"

namespace orrery::gateway {

// The visible part of a row, encoded; none when nothing is visible.
struct SeenRow {
  std::string clustering;
  std::optional<std::string> before;
  std::optional<std::string> after;  // when changes were tried
  friend bool operator==(const SeenRow&, const SeenRow&) = default;
};

struct RowsSeen {
  Micros now{0};  // the server's time of that turn: later than that of every write before it
  std::vector<SeenRow> rows;                                // by clustering key, each once
  std::vector<std::pair<std::string, std::string>> looked;  // LookAt's
  friend bool operator==(const RowsSeen&, const RowsSeen&) = default;
};

// Two looks with the same digest saw the same rows, as they were before any change.
Hash128 DigestOf(const RowsSeen& seen);

std::optional<std::string> EncodeSeen(const model::Row* row);

void AppendSeen(MessageWriter& out, const RowsSeen& seen);
// Every row in what it returns can be decoded.
RowsSeen ReadSeen(MessageReader& in);

}  // namespace orrery::gateway
