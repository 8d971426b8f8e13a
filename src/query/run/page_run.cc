#include "query/run/page_run.h"

#include <utility>

#include "query/operator/aggregation.h"
#include "query/operator/pipeline.h"

namespace orrery::query {
namespace {

// Returns whether all documents are needed for the first row of the query.
bool NeedsAll(const OperatorPlan& plan) {
  return plan.is_grouped() || plan.is_distinct || !plan.order_by.empty() ||
         plan.ranking != nullptr || plan.limit.has_value() || plan.offset > 0;
}

// Returns whether all rows are there as soon as the first is.
bool GathersAll(const OperatorPlan& plan) {
  if (plan.is_grouped() || !plan.order_by.empty() || plan.ranking != nullptr) return true;
  return !plan.sources.empty() && plan.sources.front().kind == SourceStep::Kind::kQuery &&
         GathersAll(*plan.sources.front().query);
}

// Returns how many rows may be made behind a page, after `given` of the pages before were passed
// over. Rows that have to be looked for are as many as these, and one that tells whether there are
// more: so the work for all pages together is about twice that for all rows.
uint64_t AheadMax(const OperatorPlan& plan, uint64_t given) {
  if (GathersAll(plan)) return UINT64_MAX;
  return given == 0 ? 0 : given + 1;
}

// Takes `row`, which has the number of `start`, and those behind it. An error is met again by the
// page that needs the row.
std::unique_ptr<KeptRows> ReadAhead(Pipeline& pipeline, WholeState start, OutputRow row,
                                    uint64_t rows_max, const RunLimits& limits) {
  std::vector<PlacedRow> rows;
  size_t bytes = 0;
  bool found = true;
  while (found && rows.size() < rows_max && bytes < limits.ahead_bytes_max) {
    rows.push_back({.row = std::move(row)});
    bytes += rows.back().bytes();
    const Result<bool> next = pipeline.Next(row);
    if (!next.has_value()) break;
    found = *next;
  }
  if (rows.empty()) return nullptr;
  return std::make_unique<KeptRows>(start, std::move(rows), /*is_complete=*/!found);
}

}  // namespace

void Page::Add(const PageContext& context, const model::Value& row) {
  bytes += context.writer.Write(row);
  ++rows;
}

bool Page::IsFull(const PageContext& context) const {
  return rows >= context.rows_max || bytes >= context.limits.page_bytes_max;
}

RunKind RunKindOf(const OperatorPlan& plan, bool documents_are_ordered) {
  const bool reads_documents =
      !plan.sources.empty() && plan.sources.front().kind == SourceStep::Kind::kDocuments;
  if (reads_documents && plan.group_by.empty() && plan.is_grouped() && HasSmallPartials(plan))
    return RunKind::kAggregate;
  if (plan.is_grouped() || plan.is_distinct || plan.ranking != nullptr || plan.sources.empty())
    return RunKind::kWhole;
  const OperatorPlan* inner = &plan;
  while (inner->sources.front().kind == SourceStep::Kind::kQuery) {
    inner = inner->sources.front().query.get();
    if (NeedsAll(*inner) || inner->sources.empty()) return RunKind::kWhole;
  }
  if (inner->sources.front().kind != SourceStep::Kind::kDocuments) return RunKind::kWhole;
  if (plan.order_by.empty() || documents_are_ordered) return RunKind::kDocuments;
  return RunKind::kSorted;
}

bool MayNarrow(const decltype(QueryToken::state)& state, const OperatorPlan& plan) {
  const bool is_place =
      std::holds_alternative<DocumentState>(state) || std::holds_alternative<SortState>(state);
  return is_place && plan.offset == 0 && !plan.limit.has_value();
}

Result<Page> RunPage(RunKind kind, const PageContext& context,
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

Result<Page> RunWhole(const PageContext& context, const std::optional<QueryToken>& token) {
  const uint64_t given = token.has_value() ? std::get<WholeState>(token->state).rows : 0;
  Pipeline pipeline(context.plan, context.frame, context.documents, context.limits);
  Page page;
  OutputRow row;
  for (uint64_t i = 0;; ++i) {
    ORRERY_ASSIGN(const bool found, pipeline.Next(row));
    if (!found) return page;
    if (i < given) continue;
    if (page.IsFull(context)) {
      page.next = {
          .api = context.api, .query = context.query_hash, .limit = {}, .state = WholeState{i}};
      if (context.keeps_rows)
        page.kept = ReadAhead(pipeline, WholeState{i}, std::move(row),
                              AheadMax(context.plan, given), context.limits);
      return page;
    }
    page.Add(context, row.value);
  }
}

}  // namespace orrery::query
