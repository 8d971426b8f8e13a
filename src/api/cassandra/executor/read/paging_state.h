// A PagingState is a position in a table: what clients hold between the pages of a SELECT and give
// back to have the next one.
//
//   state   := version:uint8 kind:uint8 flags:uint8 table:bytes [left:varint] place check:uint32
//   kind    := 'R' rows | 'F' change feed
//   flags   := 01 left, 02 clustering follow
//   place   := key:bytes [clustering:bytes] rows:varint           ; of rows
//            | continuation:bytes                                 ; of a feed (gateway/row)
//   bytes   := length:varint data
//   check   := of all bytes before it
//
// As in Cassandra it is bound to its table and not to its statement: it names the last row that was
// dealt with, and any SELECT of that table goes on behind it in its own order. It names no
// partition of the store, so it outlives restarts and splits. It gives no right, so the check finds
// damage and not forgery. docs/format has none of it: clients may not look inside.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "api/cassandra/protocol/cql_result.h"

namespace orrery::cassandra {

// A row, or a whole partition, that earlier pages have dealt with.
struct RowMark {
  std::string key;                        // of the partition, serialized
  std::optional<std::string> clustering;  // none: all of the partition
  friend bool operator==(const RowMark&, const RowMark&) = default;
};

enum class PagingKind : uint8_t { kRows = 'R', kFeed = 'F' };

struct PagingState {
  PagingKind kind = PagingKind::kRows;
  std::string table;             // its id
  std::optional<uint32_t> left;  // of LIMIT
  RowMark mark;                  // kRows
  uint32_t partition_rows = 0;   // kRows: how many rows of the mark's partition earlier pages had
  std::string continuation;      // kFeed

  friend bool operator==(const PagingState&, const PagingState&) = default;
};

std::string EncodePagingState(const PagingState& state);

// A protocol error that begins with "Invalid value for the paging state" unless EncodePagingState
// made the bytes for a statement of this table and kind.
CqlResult<PagingState> DecodePagingState(std::string_view bytes, PagingKind kind,
                                         std::string_view table);

// The error, with a reason perhaps.
CqlError InvalidPagingState(std::string_view reason = "");

}  // namespace orrery::cassandra
