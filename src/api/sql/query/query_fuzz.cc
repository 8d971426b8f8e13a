// Text from clients: whatever it is, it is refused or it runs. Also its plan and its access path.
#include <cstdint>
#include <string_view>
#include <vector>

#include "api/sql/parser/parser.h"
#include "api/sql/query/condition/condition_finder.h"
#include "api/sql/query/plan/query_plan.h"
#include "api/sql/query/query_random.h"
#include "api/sql/query/run/operator_plan_maker.h"
#include "api/sql/query/run/row_json.h"
#include "base/check.h"
#include "model/document/json.h"
#include "query/access/access_path.h"
#include "query/access/index_use.h"
#include "query/source/document_source.h"

namespace {

using namespace orrery;
using namespace orrery::sql;

class OneDocument final : public query::DocumentSource {
 public:
  explicit OneDocument(const model::Value& document) : document_(document) {}
  Result<bool> Next() override { return std::exchange(is_left_, false); }
  const model::Value& document() const override { return document_; }
  std::string_view key() const override { return "k"; }
  std::string Position(Resume) const override { return "p"; }

 private:
  const model::Value& document_;
  bool is_left_ = true;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const FunctionRegistry kFunctions;
  static const ManualClock kClock;
  static const model::Value kDocument =
      *model::ValueFromJson(R"({"id":"a","n":1,"t":["x","y"],"o":{"p":null,"q":[{"r":true}]}})");
  static const ComputedProperties kComputed(
      *model::ValueFromJson(R"([{"name":"cp","query":"SELECT VALUE c.t[c.n] || c.id FROM c"}])"));
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto tree = ParseQuery(text);
  if (!tree.has_value()) return 0;
  QueryLimits limits;
  limits.rows_per_document_max = 1'000;
  Parameters parameters;
  parameters.Set("@p", model::Value::Int32(2));
  const QueryBindContext context{.text = text,
                                 .parameters = parameters,
                                 .functions = kFunctions,
                                 .limits = limits,
                                 .computed = kComputed};
  const auto bound = BindQuery(*tree, context);
  if (!bound.has_value()) return 0;

  item::ContainerSchema schema;
  schema.partition_key_paths = {*model::Path::Parse("/id")};
  schema.row_key_path = *model::Path::Parse("/id");
  schema.indexing = item::IndexPolicy::All().WithNamed(
      {{1,
        "n+t",
        {*model::Path::Parse("/n"), *model::Path::Parse("/t")},
        {model::Direction::kAscending, model::Direction::kDescending}}});
  const auto found = FindConditions(*tree, {.text = text,
                                            .parameters = parameters,
                                            .functions = kFunctions,
                                            .order = schema.order,
                                            .computed = kComputed});
  if (found.has_value()) {
    const query::AccessPath path = query::ChooseAccessPath(found->conditions, schema, std::nullopt);
    (void)query::IndexUseOf(found->conditions, path, schema);
    (void)query::OrdersUndefined(found->conditions.order, schema);
  }
  const PlanFeatures features{.count_distinct = true, .hybrid_search = true};
  if (const auto plan = MakeQueryPlan(*bound, context, schema, features))
    ORRERY_CHECK(model::ParseJson(*plan).has_value());

  QueryRandom random(Micros(0));
  const CallContext calls{kClock, random, kClock.Now()};
  const std::vector<const model::Value*> slots(bound->slot_count, &query::kUndefined);
  const FrameContext frame_context(calls);
  const Frame frame{slots, frame_context};
  const query::OperatorPlan operators = OperatorPlanOf(*bound);
  JsonRows rows;
  OneDocument documents(kDocument);
  const query::PageContext page{.plan = operators,
                                .frame = frame,
                                .documents = &documents,
                                .writer = rows,
                                .limits = limits,
                                .api = query::Api::kSql,
                                .rows_max = 10,
                                .query_hash = 0};
  (void)query::RunPage(query::RunKindOf(operators, /*documents_are_ordered=*/false), page,
                       std::nullopt);
  return 0;
}
