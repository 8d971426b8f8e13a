// A QueryToken is the continuation token of a query: where the next page begins.
//
//   token   := base64url(body check:uint32)        ; check: Murmur3 of the body, big-endian
//   body    := version:uint8 (2) api:uint8 query:uint64 place
//            | version:uint8 (3) api:uint8 query:uint64 run:uint64 place
//            | version:uint8 (4) api:uint8 query:uint64 run:uint64 scope place
//            | version:uint8 (1) query:uint64 place   ; of the SQL API, as before version 2: read
//            only
//   scope   := is_merged:uint8 begin:hash16 last:hash16
//   place   := offset:varint (00 | 01 limit:varint) state
//   api     := 01 SQL | 02 MongoDB | 03 Table | 04 Gremlin
//   state   := 01 position:bytes key:uint64 rows:varint     ; within the documents
//            | 02 values:bytes key:bytes rows:varint        ; within sorted rows
//            | 03 rows:varint                               ; within rows that are made anew
//            | 04 position:bytes partials:bytes             ; within the rows of an aggregate
//   values  := a tuple of model/key/key_codec.h, under the order of the query language
//   bytes   := length:varint data
//
// `query` is a hash of what was asked, so that a token of another query is refused; so is one of
// another API. No partition is named: a token stays good over restarts, splits and merges. `run` is
// where the rows behind the page may still be kept (query/run/row_keeper.h): without them they are
// computed again. `scope` is what the place is a place in: within it, all that lies before the
// place was given; of what is outside, the token says nothing. The check finds damage, not forgery:
// nothing in a token gives a right. docs/format/tokens.md has a worked example.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "base/status.h"
#include "gateway/view/partition_ranges.h"
#include "model/compare.h"
#include "model/value.h"
#include "query/cursor/cursor_id.h"

namespace orrery::query {

inline constexpr size_t kQueryTokenTextMax = size_t{1} << 20;

// The API whose query a token is of. Stored: never renumber one, only add.
enum class Api : uint8_t { kSql = 1, kMongo = 2, kTable = 3, kGremlin = 4 };

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

// A TokenScope is the part of a container whose rows a token is a place among.
struct TokenScope {
  partition::HashRange range;  // of the ring
  bool is_merged = false;  // PageContext::is_merged: rows of one place are in another order then
  friend bool operator==(const TokenScope&, const TokenScope&) = default;
};

struct QueryToken {
  Api api = Api::kSql;
  uint64_t query = 0;
  CursorId run = {};                     // that has the rows behind the page; none: nothing is kept
  std::optional<TokenScope> scope = {};  // none: what `query` says
  uint64_t offset = 0;                   // rows still to be left out
  std::optional<uint64_t> limit;         // rows still to be given
  std::variant<DocumentState, SortState, WholeState, AggregateState> state;
  friend bool operator==(const QueryToken&, const QueryToken&) = default;
};

// `order`: that values of SortState are compared in.
std::string EncodeQueryToken(const QueryToken& token, model::Order order = model::Order::kSql);
// kInvalidArgument when the text is no token, is damaged, or was made for another query or API.
Result<QueryToken> DecodeQueryToken(std::string_view text, Api api, uint64_t query);
// The same, but of whatever query.
Result<QueryToken> DecodeQueryToken(std::string_view text, Api api);
// The error of a token that was made for another query.
std::unexpected<Error> TokenOfAnotherQuery();

}  // namespace orrery::query
