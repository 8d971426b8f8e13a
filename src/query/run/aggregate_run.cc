#include <utility>

#include "model/document/document_builder.h"
#include "query/operator/aggregation.h"
#include "query/operator/row_operators.h"
#include "query/run/page_run.h"

namespace orrery::query {
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
              Page& page) {
  const OperatorPlan& plan = context.plan;
  const std::vector<model::Value> finals = aggregation.Finals();
  for (size_t i = 0; i < finals.size(); ++i) frame.Set(plan.aggregates[i].slot, finals[i]);
  model::Value scratch;
  ORRERY_ASSIGN(const model::Value* value, plan.select->Evaluate(frame.frame(), scratch));
  if (!value->is_undefined() && plan.offset == 0 && plan.limit != 0) page.Add(context, *value);
  return {};
}

}  // namespace

Result<Page> RunAggregate(const PageContext& context, const std::optional<QueryToken>& token) {
  RowFrame frame(context.frame, context.limits);
  const RowOperatorPtr rows = RowsOf(context.plan, context.documents, frame);
  KeptBytes kept(context.limits.kept_bytes_max);
  Aggregation aggregation(context.plan);
  if (token.has_value()) {
    ORRERY_TRY(MergePartials(std::get<AggregateState>(token->state).partials, aggregation));
  }
  while (true) {
    ORRERY_ASSIGN(const bool found, rows->Next());
    if (!found) break;
    if (context.plan.merges_groups) {
      ORRERY_ASSIGN(const model::PartialGroup group, GroupInSlots(context.plan, frame.frame()));
      ORRERY_TRY(aggregation.MergeGroup(group));
    } else {
      ORRERY_TRY(aggregation.AddRow(frame.frame(), kept));
    }
  }
  Page page;
  if (!context.documents->paused()) {
    ORRERY_TRY(AddRow(context, aggregation, frame, page));
    return page;
  }
  AggregateState state{.position = context.documents->Position(DocumentSource::Resume::kBehind),
                       .partials = EncodePartials(aggregation)};
  if (state.partials.size() > kPartialBytesMax)
    return Fail(Code::kTooLarge, "the values of the query's aggregates are too long");
  page.next = {
      .api = context.api, .query = context.query_hash, .limit = {}, .state = std::move(state)};
  return page;
}

}  // namespace orrery::query
