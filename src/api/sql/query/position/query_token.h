// Continuation tokens of queries: where the next page begins.
//
//   token   := base64url(body check:uint32)        ; check: Murmur3 of the body, big-endian
//   body    := version:uint8 (1) query:uint64 offset:varint (00 | 01 limit:varint) state
//   state   := 01 position:bytes key:uint64 rows:varint     ; within the documents
//            | 02 values:bytes key:bytes rows:varint        ; within sorted rows
//            | 03 rows:varint                               ; within rows that are made anew
//            | 04 position:bytes partials:bytes             ; within the rows of an aggregate
//   values  := a tuple of model/key/key_codec.h, under the SQL order
//   bytes   := length:varint data
//
// `query` is a hash of what was asked, so that a token of another query is refused. No partition is
// named: a token stays good over restarts, splits and merges. The check finds damage, not forgery:
// nothing in a token gives a right. docs/format/tokens.md has a worked example.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "base/status.h"
#include "model/value.h"

namespace orrery::sql {

inline constexpr size_t kQueryTokenTextMax = size_t{1} << 20;

// Of a query whose documents come in the order of its rows.
struct DocumentState {
  std::string position;  // DocumentSource::Position
  uint64_t key = 0;      // hash of the key of the last document that rows were given of
  uint64_t rows = 0;     // how many; 0 when the position is behind it
  friend bool operator==(const DocumentState&, const DocumentState&) = default;
};

// Of a query whose rows are sorted for each page: the last row that was given.
struct SortState {
  model::Values values;  // of ORDER BY
  std::string key;       // of its document
  uint64_t row = 0;      // of the document's rows
  friend bool operator==(const SortState&, const SortState&) = default;
};

// Of a query that is executed as a whole for each page.
struct WholeState {
  uint64_t rows = 0;  // given already
  friend bool operator==(const WholeState&, const WholeState&) = default;
};

// Of a query whose rows are all one group.
struct AggregateState {
  std::string position;  // DocumentSource::Position
  std::string partials;  // of the aggregates up to there: BSON, {"": [..]}
  friend bool operator==(const AggregateState&, const AggregateState&) = default;
};

struct QueryToken {
  uint64_t query = 0;
  uint64_t offset = 0;            // rows still to be left out
  std::optional<uint64_t> limit;  // rows still to be given
  std::variant<DocumentState, SortState, WholeState, AggregateState> state;
  friend bool operator==(const QueryToken&, const QueryToken&) = default;
};

std::string EncodeQueryToken(const QueryToken& token);
// kInvalidArgument when the text is no token, is damaged, or was made for another query.
Result<QueryToken> DecodeQueryToken(std::string_view text, uint64_t query);

}  // namespace orrery::sql
