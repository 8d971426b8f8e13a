// A page of a query's rows, made in one of four ways:
//
//   RunDocuments  documents come in the order of the rows: read until the page is full, and go on
//                 from there
//   RunSorted     all documents are read, and of their rows the ones kept that come next
//   RunAggregate  all rows are one group: read as much as a page may, and go on from there with the
//                 aggregates so far; the row is on the last page
//   RunWhole      the query is executed from its beginning, and what was given before left out
//
// Each blocks while it reads. Errors end the query.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/sql/query/bind/bound_query.h"
#include "api/sql/query/operator/row_operator.h"
#include "api/sql/query/position/query_token.h"
#include "api/sql/query/query_limits.h"
#include "api/sql/query/source/document_source.h"

namespace orrery::sql {

// All must outlive the call only.
struct PageContext {
  const BoundQuery& query;
  const Frame& frame;         // with a slot for each of the query's
  DocumentSource* documents;  // null when the query reads no container
  const QueryLimits& limits;
  size_t rows_max;
  uint64_t query_hash;
  bool is_merged = false;  // by a client, with rows of other ranges
};

struct PageOfRows {
  std::vector<std::string> rows;  // each as JSON
  size_t bytes = 0;
  std::optional<QueryToken> next;  // none when there are no more rows

  void Add(const model::Value& row);
  bool IsFull(const PageContext& context) const;
};

// Which of the four a query needs.
enum class RunKind : uint8_t { kDocuments, kSorted, kAggregate, kWhole };
// `documents_are_ordered`: the source gives them in the order of ORDER BY.
RunKind RunKindOf(const BoundQuery& query, bool documents_are_ordered);

// Whether the query goes on from a document, so that its source may pause.
inline bool MayPause(RunKind kind) {
  return kind == RunKind::kDocuments || kind == RunKind::kAggregate;
}
// The one of them. `token` is what the page before answered. REQUIRES: its state is of the same
// kind.
Result<PageOfRows> RunPage(RunKind kind, const PageContext& context,
                           const std::optional<QueryToken>& token);
Result<PageOfRows> RunDocuments(const PageContext& context, const std::optional<QueryToken>& token);
Result<PageOfRows> RunSorted(const PageContext& context, const std::optional<QueryToken>& token);
Result<PageOfRows> RunAggregate(const PageContext& context, const std::optional<QueryToken>& token);
Result<PageOfRows> RunWhole(const PageContext& context, const std::optional<QueryToken>& token);

}  // namespace orrery::sql
