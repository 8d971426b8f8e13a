// KeptRows are the rows behind a page, made already: those of the pages after it.
//
// They go on without a gap from where the page ended, and may end before the query does. Which
// rows, and where a page begins among them, is in tokens (position/query_token.h): a page of kept
// rows is the one that the query would give if it ran again.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gateway/position/session_token.h"
#include "query/cursor/kept_run.h"
#include "query/operator/output_operator.h"
#include "query/position/query_token.h"

namespace orrery::query {

struct PageContext;
struct Page;

// A PlacedRow knows its place among sorted rows. Of other rows the value counts only.
struct PlacedRow {
  OutputRow row;
  std::string key = {};  // of its document
  uint64_t number = 0;   // of the document's rows

  size_t bytes() const;
  SortState place() const { return {.values = row.order, .key = key, .row = number}; }
};

// Compares under ORDER BY; equal rows by document. Less than 0 when `a` comes first.
int ComparePlaces(const PlacedRow& a, const PlacedRow& b, const PageContext& context);

class KeptRows final : public KeptRun {
 public:
  // `start` is the state of the token that the rows begin behind: a WholeState or a SortState.
  KeptRows(decltype(QueryToken::state) start, std::vector<PlacedRow> rows, bool is_complete);

  size_t bytes() const override { return bytes_; }

  // Makes the page that `token` begins. Nullopt if the rows do not have all of it; what was written
  // by then is to be thrown away.
  std::optional<Page> MakePage(const PageContext& context, const QueryToken& token);

  // The versions that the query had seen of each partition when the rows were made, and the client
  // had seen before, of any partition.
  std::vector<gateway::SessionPosition> seen = {};
  std::vector<gateway::SessionPosition> asked = {};

 private:
  std::optional<Page> MakeWholePage(const PageContext& context, const WholeState& from) const;
  std::optional<Page> MakeSortedPage(const PageContext& context, const SortState& from,
                                     std::optional<uint64_t> limit);

  const decltype(QueryToken::state) start_;
  std::vector<PlacedRow> rows_;
  const bool is_complete_;  // the query has no further rows
  bool is_sorted_ = false;  // which is not done before somebody wants them
  const size_t bytes_;
};

// Writes the sorted rows from `next` on until the page is full or has `limit` rows, and moves
// `next` behind the last.
Page MakePageOfSorted(const PageContext& context, const std::vector<PlacedRow>& rows, size_t& next,
                      std::optional<uint64_t> limit);

}  // namespace orrery::query
