// Makes a page of a query's rows in one of four ways:
//
//   RunDocuments  documents come in the order of the rows: read until the page is full, and go on
//                 from there
//   RunSorted     all documents are read, and of their rows the ones kept that come next
//   RunAggregate  all rows are one group: read as much as a page may, and go on from there with the
//                 aggregates so far; the row is on the last page
//   RunWhole      the query is executed from its beginning, and what was given before left out
//
// RunSorted and RunWhole may make further rows on the way, which a RowKeeper (row_keeper.h) keeps
// for the pages to come.
//
// Each blocks while it reads. Errors end the query.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "query/operator/operator_plan.h"
#include "query/operator/row_operator.h"
#include "query/position/query_token.h"
#include "query/run/kept_rows.h"
#include "query/run_limits.h"
#include "query/source/document_source.h"

namespace orrery::query {

// A RowWriter takes the rows of a page, in the form that the API gives them to its clients.
class RowWriter {
 public:
  virtual ~RowWriter() = default;
  // Returns how many bytes the row takes.
  virtual size_t Write(const model::Value& row) = 0;
};

// All must outlive the call only.
struct PageContext {
  const OperatorPlan& plan;
  const Frame& frame;         // with a slot for each of the query's
  DocumentSource* documents;  // null when the query reads no container
  RowWriter& writer;
  const RunLimits& limits;
  Api api;
  size_t rows_max;
  uint64_t query_hash;
  bool is_merged = false;   // by a client, with rows of other ranges
  bool keeps_rows = false;  // that are made on the way, for later pages
};

struct Page {
  size_t rows = 0;
  size_t bytes = 0;
  std::optional<QueryToken> next;  // none when there are no more rows
  std::unique_ptr<KeptRows> kept;  // rows behind the page; null when none were made

  void Add(const PageContext& context, const model::Value& row);
  bool IsFull(const PageContext& context) const;
};

// The kind of run that a query needs.
enum class RunKind : uint8_t { kDocuments, kSorted, kAggregate, kWhole };
// `documents_are_ordered`: the source gives them in the order of ORDER BY.
RunKind RunKindOf(const OperatorPlan& plan, bool documents_are_ordered);

// Returns whether the query goes on from a document, so that its source may pause.
inline bool MayPause(RunKind kind) {
  return kind == RunKind::kDocuments || kind == RunKind::kAggregate;
}
// Returns whether a query with a token's state can go on with fewer documents than it began with:
// then the state is a place among rows, each of which is of one document, and none is counted.
bool MayNarrow(const decltype(QueryToken::state)& state, const OperatorPlan& plan);
// The one of them. `token` is what the page before answered. REQUIRES: its state is of the same
// kind.
Result<Page> RunPage(RunKind kind, const PageContext& context,
                     const std::optional<QueryToken>& token);
Result<Page> RunDocuments(const PageContext& context, const std::optional<QueryToken>& token);
Result<Page> RunSorted(const PageContext& context, const std::optional<QueryToken>& token);
Result<Page> RunAggregate(const PageContext& context, const std::optional<QueryToken>& token);
Result<Page> RunWhole(const PageContext& context, const std::optional<QueryToken>& token);

}  // namespace orrery::query
