#include <utility>

#include "api/sql/query/operator/aggregation.h"
#include "api/sql/query/operator/row_operators.h"
#include "api/sql/query/run/page_run.h"
#include "model/document/document_builder.h"

namespace orrery::sql {
namespace {

// Of partial results in a token: the least or greatest of long strings can be long.
constexpr size_t kPartialBytesMax = size_t{256} << 10;

// As BSON, which can say what JSON cannot: sums may be infinite or no number.
std::string EncodePartials(const Aggregation& aggregation) {
  model::DocumentBuilder builder;
  builder.Append("", aggregation.Partials());
  return std::move(builder).Finish().Release();
}
Status MergePartials(const std::string& partials, Aggregation& aggregation) {
  ORRERY_ASSIGN(const model::DocumentView stored, model::DocumentView::FromBson(partials));
  return aggregation.Merge(stored.Get(""));
}

// SELECT of the one group that all rows are.
Status AddRow(const PageContext& context, const Aggregation& aggregation, RowFrame& frame,
              PageOfRows& page) {
  const BoundQuery& query = context.query;
  const std::vector<model::Value> finals = aggregation.Finals();
  for (size_t i = 0; i < finals.size(); ++i) frame.Set(query.aggregates[i].slot, finals[i]);
  model::Value scratch;
  ORRERY_ASSIGN(const model::Value* value, query.select->Evaluate(frame.frame(), scratch));
  if (!value->is_undefined() && query.offset == 0 && query.limit != 0) page.Add(*value);
  return {};
}

}  // namespace

Result<PageOfRows> RunAggregate(const PageContext& context,
                                const std::optional<QueryToken>& token) {
  RowFrame frame(context.frame, context.limits);
  const RowOperatorPtr rows = RowsOf(context.query, context.documents, frame);
  KeptBytes kept(context.limits.kept_bytes_max);
  Aggregation aggregation(context.query);
  if (token.has_value()) {
    ORRERY_TRY(MergePartials(std::get<AggregateState>(token->state).partials, aggregation));
  }
  while (true) {
    ORRERY_ASSIGN(const bool found, rows->Next());
    if (!found) break;
    ORRERY_TRY(aggregation.AddRow(frame.frame(), kept));
  }
  PageOfRows page;
  if (!context.documents->paused()) {
    ORRERY_TRY(AddRow(context, aggregation, frame, page));
    return page;
  }
  AggregateState state{.position = context.documents->Position(DocumentSource::Resume::kBehind),
                       .partials = EncodePartials(aggregation)};
  if (state.partials.size() > kPartialBytesMax)
    return Fail(Code::kTooLarge, "the values of the query's aggregates are too long");
  page.next = {.query = context.query_hash, .limit = {}, .state = std::move(state)};
  return page;
}

}  // namespace orrery::sql
