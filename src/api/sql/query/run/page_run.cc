#include "api/sql/query/run/page_run.h"

#include <utility>

#include "api/sql/query/operator/aggregation.h"
#include "api/sql/query/operator/pipeline.h"
#include "api/sql/query/run/row_json.h"

namespace orrery::sql {
namespace {

// Whether all documents are needed for the first row of the query.
bool NeedsAll(const BoundQuery& query) {
  return query.is_grouped() || query.is_distinct || !query.order_by.empty() ||
         !query.rank.empty() || query.limit.has_value() || query.offset > 0;
}

}  // namespace

void PageOfRows::Add(const model::Value& row) {
  rows.push_back(RowJson(row));
  bytes += rows.back().size();
}

bool PageOfRows::IsFull(const PageContext& context) const {
  return rows.size() >= context.rows_max || bytes >= context.limits.page_bytes_max;
}

RunKind RunKindOf(const BoundQuery& query, bool documents_are_ordered) {
  const bool reads_documents =
      !query.sources.empty() && query.sources.front().kind == BoundSource::Kind::kDocuments;
  if (reads_documents && query.group_by.empty() && query.is_grouped() && HasSmallPartials(query))
    return RunKind::kAggregate;
  if (query.is_grouped() || query.is_distinct || !query.rank.empty() || query.sources.empty())
    return RunKind::kWhole;
  const BoundQuery* inner = &query;
  while (inner->sources.front().kind == BoundSource::Kind::kQuery) {
    inner = inner->sources.front().query.get();
    if (NeedsAll(*inner) || inner->sources.empty()) return RunKind::kWhole;
  }
  if (inner->sources.front().kind != BoundSource::Kind::kDocuments) return RunKind::kWhole;
  if (query.order_by.empty() || documents_are_ordered) return RunKind::kDocuments;
  return RunKind::kSorted;
}

Result<PageOfRows> RunPage(RunKind kind, const PageContext& context,
                           const std::optional<QueryToken>& token) {
  switch (kind) {
    case RunKind::kDocuments:
      return RunDocuments(context, token);
    case RunKind::kSorted:
      return RunSorted(context, token);
    case RunKind::kAggregate:
      return RunAggregate(context, token);
    case RunKind::kWhole:
      break;
  }
  return RunWhole(context, token);
}

Result<PageOfRows> RunWhole(const PageContext& context, const std::optional<QueryToken>& token) {
  const uint64_t given = token.has_value() ? std::get<WholeState>(token->state).rows : 0;
  Pipeline pipeline(context.query, context.frame, context.documents, context.limits);
  PageOfRows page;
  OutputRow row;
  for (uint64_t i = 0;; ++i) {
    ORRERY_ASSIGN(const bool found, pipeline.Next(row));
    if (!found) return page;
    if (i < given) continue;
    if (page.IsFull(context)) {
      page.next = {.query = context.query_hash, .limit = {}, .state = WholeState{i}};
      return page;
    }
    page.Add(row.value);
  }
}

}  // namespace orrery::sql
