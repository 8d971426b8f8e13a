// Encodes a row, or a change of one: both have the same form, because a change is merged into the
// stored row (row_merge.h).
//
//   row       := head:uint8 lsn:uint64 base:time [live] [deletion] [dropped] cell*
//   head      := bits 0-3: 01 live, 02 deletion, 04 dropped follow; bits 4-7: version (1)
//   live      := bits:uint8 [time] [ttl:varint expiry:varint]       ; 01 own time, 02 ttl follow
//   deletion  := time local:varint
//   dropped   := count:varint (column:varint deletion)*             ; collections emptied whole
//   cell      := column:varint bits:uint8 [path:bytes] [time] [ttl:varint] [expiry:varint]
//                [value:bytes]
//   bits      := 01 path follows, 02 own time follows (else it is `base`), 04 ttl and expiry
//   follow,
//                08 tombstone (expiry follows, no value), 10 counter
//   time      := varint, zigzag: microseconds since 1970
//   bytes     := length:varint data
//
// The position has a fixed place, so that a change can be made ready by its caller and stamped by
// the sequencer. Cells are in order of column, then path; a cell without a path comes alone.
// docs/format/rows.md has a worked example.
#pragma once

#include <string>
#include <string_view>

#include "base/bytes.h"
#include "base/ids.h"
#include "base/status.h"
#include "model/row/row.h"

namespace orrery::model {

// Replaces what `out` holds. REQUIRES: cells and column deletions in order, each place once.
void EncodeRow(std::string& out, const Row& row);

// Sets the position of an encoded row. REQUIRES: EncodeRow made it.
void StampRow(std::string& encoded, Lsn lsn);

// kCorruption when the bytes are no row. Views point into `bytes`. Reuses the memory of `row`.
Status DecodeRow(std::string_view bytes, Row& row);

// Reads a row cell by cell without keeping it: for results, where each cell is examined once.
class RowCursor {
 public:
  // kCorruption when what comes before the cells is damaged.
  static Result<RowCursor> Open(std::string_view bytes);

  Lsn lsn() const { return lsn_; }
  const std::optional<Liveness>& liveness() const { return liveness_; }
  const Deletion& deletion() const { return deletion_; }
  // In order of column.
  const std::vector<ColumnDeletion>& column_deletions() const { return column_deletions_; }

  // As Row::is_blank. REQUIRES: before the first cell.
  bool is_blank() const {
    return !liveness_.has_value() && !deletion_.exists() && column_deletions_.empty() &&
           reader_.rest().empty();
  }

  // The next cell; false at the end. kCorruption when it is damaged.
  Result<bool> Next(Cell& cell);

 private:
  explicit RowCursor(std::string_view bytes) : reader_(bytes) {}
  bool ReadHead();
  bool ReadCell(Cell& cell);
  bool ReadTime(int64_t& time);
  bool ReadDeletion(Deletion& deletion);

  ByteReader reader_;
  Lsn lsn_;
  int64_t base_ = 0;
  std::optional<Liveness> liveness_;
  Deletion deletion_;
  std::vector<ColumnDeletion> column_deletions_;
};

}  // namespace orrery::model
