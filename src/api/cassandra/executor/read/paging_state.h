// Where the next page of a SELECT begins: what clients hold between pages and give back.
//
//   state   := version:uint8 flags:uint8 statement:uint64 step:varint continuation:bytes
//              [mark] [left:varint] [partition] check:uint32
//   flags   := 01 mark, 02 left, 04 partition follow
//   mark    := hash:16 key:bytes row:uint8 [clustering:bytes]  ; row: whether clustering follows
//   partition := key:bytes rows:varint
//   bytes   := length:varint data
//   check   := of all bytes before it
//
// It names keys and positions on the ring, never partitions of the store: it outlives restarts and
// splits. It is bound to its statement and its key values by `statement`. docs/format has none of
// it: clients may not look inside.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "api/cassandra/protocol/cql_result.h"
#include "base/hash128.h"

namespace orrery::cassandra {

// A row, or a whole partition, that earlier pages have dealt with.
struct RowMark {
  Hash128 hash;                           // of the partition
  std::string key;                        // serialized
  std::optional<std::string> clustering;  // none: all of the partition
  friend bool operator==(const RowMark&, const RowMark&) = default;
};

// Where a source goes on (row_source.h).
struct SourcePosition {
  uint64_t step = 0;
  std::string continuation;
  friend bool operator==(const SourcePosition&, const SourcePosition&) = default;
};

struct PagingState {
  uint64_t statement = 0;
  SourcePosition position;
  // Rows that come again from there, up to this one, were in earlier pages.
  std::optional<RowMark> mark;
  std::optional<uint32_t> left;  // of LIMIT
  // Of PER PARTITION LIMIT: how many rows of this partition earlier pages had.
  std::string partition;
  uint32_t partition_rows = 0;

  friend bool operator==(const PagingState&, const PagingState&) = default;
};

std::string EncodePagingState(const PagingState& state);

// A protocol error, "Invalid value for the paging state", unless EncodePagingState made the bytes
// for the same `statement`.
CqlResult<PagingState> DecodePagingState(std::string_view bytes, uint64_t statement);

}  // namespace orrery::cassandra
