// RESULT Rows, written row by row into the connection's buffer: a cell is copied once, from where
// it is stored to where it is sent.
//
//   Rows     := 0002:[int] metadata rows:[int] cell:[bytes]{rows x columns}
//   metadata := flags:[int] columns:[int] [paging state:[bytes], 02] [metadata id:[short bytes],
//   08]
//               [columns (result_columns.h), unless 04]
//   flags    := 01 one table | 02 more pages | 04 no metadata | 08 metadata changed (v5)
//
// The existence and the position of further pages are known only behind the last row; the paging
// state is then put in before the rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "api/cassandra/protocol/body/body_writer.h"
#include "api/cassandra/protocol/response/response_envelope.h"
#include "api/cassandra/protocol/response/result_columns.h"

namespace orrery::cassandra {

struct RowsOptions {
  bool skip_metadata = false;  // the client has the description from PREPARE
  // v5: the client's description is out of date; sends this id and the new one, skipped or not.
  std::optional<std::string_view> new_metadata_id;
};

// Finish or Abandon exactly once; nothing else is written to `out` meanwhile. Not thread-safe.
class RowsWriter {
 public:
  // `out` must outlive this; the rest is copied.
  RowsWriter(std::string& out, const ResponseHead& head, const ResultColumns& columns,
             const RowsOptions& options);

  // One cell of the row under way, in the order of the columns.
  void AppendCell(std::string_view value) { AppendBytes(envelope_.out(), value); }
  // For cells that are there as [bytes] already, or are built in place.
  std::string& buffer() { return envelope_.out(); }
  // REQUIRES: as many cells as columns since the last.
  void EndRow() { ++rows_; }

  int32_t rows() const { return rows_; }

  void SetPayloadValue(std::string_view key, std::string_view value) {
    envelope_.SetPayloadValue(key, value);
  }
  // With a paging state there are more pages.
  void Finish(const std::optional<std::string_view>& paging_state);
  void Abandon() { envelope_.Abandon(); }

 private:
  ResponseEnvelope envelope_;
  int32_t flags_ = 0;
  int32_t rows_ = 0;
  size_t flags_offset_ = 0;
  size_t rows_start_ = 0;
};

}  // namespace orrery::cassandra
