// A Row is a set of cells, each with the time that its writer gave it. Two versions of a row are
// not old and new: they are merged, cell by cell, and the later time wins (row_merge.h).
//
// Columns are numbers here, and values and paths are bytes: which type they have is the business of
// the API that wrote them. A cell without a path is a whole column; one with a path is an element
// of a collection or a field of a user-defined type. Paths of a column sort by their bytes.
//
// The views point into bytes that someone else owns: the decoded row, or the request.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include "base/ids.h"

namespace orrery::model {

using ColumnId = uint32_t;

// Microseconds since 1970, as the writer says; any value may come, but not this one.
inline constexpr int64_t kNoTimestamp = std::numeric_limits<int64_t>::min();

// Everything written at or before `timestamp` is gone. `local_s` is when the server learned of it,
// in seconds since 1970: long after it nothing older can arrive, and the deletion may go too.
struct Deletion {
  int64_t timestamp = kNoTimestamp;
  uint32_t local_s = 0;

  bool exists() const { return timestamp != kNoTimestamp; }
  bool Covers(int64_t written) const { return exists() && written <= timestamp; }
  friend bool operator==(const Deletion&, const Deletion&) = default;
};

// The trace that an INSERT leaves even when it sets no column: the row exists.
struct Liveness {
  int64_t timestamp = 0;
  uint32_t ttl_s = 0;     // 0: for ever
  uint32_t expiry_s = 0;  // with a ttl: when it ends, in seconds since 1970

  bool LiveAt(uint32_t now_s) const { return ttl_s == 0 || now_s < expiry_s; }
  friend bool operator==(const Liveness&, const Liveness&) = default;
};

enum class CellKind : uint8_t {
  kValue,
  kTombstone,  // expiry_s is when the server learned of the deletion
  kCounter,    // the value is a big-endian int64; cells of one place add up
};

struct Cell {
  ColumnId column = 0;
  bool has_path = false;
  CellKind kind = CellKind::kValue;
  int64_t timestamp = 0;
  uint32_t ttl_s = 0;  // 0: for ever
  uint32_t expiry_s = 0;
  std::string_view path;
  std::string_view value;

  bool LiveAt(uint32_t now_s) const {
    return kind != CellKind::kTombstone && (ttl_s == 0 || now_s < expiry_s);
  }
  friend bool operator==(const Cell&, const Cell&) = default;
};

// A collection that was replaced or emptied as a whole.
struct ColumnDeletion {
  ColumnId column = 0;
  Deletion deletion;
  friend bool operator==(const ColumnDeletion&, const ColumnDeletion&) = default;
};

struct Row {
  Lsn lsn;  // of the last transaction that wrote to it
  std::optional<Liveness> liveness;
  Deletion deletion;
  std::vector<ColumnDeletion> column_deletions;  // by column
  std::vector<Cell> cells;                       // by column, then path

  bool is_blank() const {
    return !liveness.has_value() && !deletion.exists() && column_deletions.empty() && cells.empty();
  }

  friend bool operator==(const Row&, const Row&) = default;
};

}  // namespace orrery::model
