#include "api/sql/service/sql_query_runner.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "api/sql/container/container_form.h"
#include "api/sql/handler/query/client_merge.h"
#include "api/sql/script/function/query_functions.h"
#include "model/document/json.h"

namespace orrery::sql {
namespace {

using query::RunnerFailure;
using query::RunnerRequest;
using query::RunnerResult;

RunnerFailure FailureOf(const QueryFailure& failure) {
  if (const auto* error = std::get_if<Error>(&failure)) return RunnerFailure(*error);
  const auto& wrong = std::get<QueryError>(failure);
  RunnerFailure told(wrong.ToError());
  told.detail = wrong.code;
  told.position = wrong.start;
  return told;
}

Result<Parameters> ParametersOf(const model::Value& given) {
  Parameters parameters;
  if (given.is_undefined() || given.is_null()) return parameters;
  if (given.kind() != model::Kind::kObject) {
    return Fail(Code::kInvalidArgument,
                "parameters of SQL are an object by name, such as {\"@n\": 10}");
  }
  for (const auto& [name, value] : given.AsFields()) {
    parameters.Set(name.starts_with('@') ? name : "@" + name, value);
  }
  return parameters;
}

QueryEngine::PlanRequest PlanRequestOf(std::string_view text, const Parameters& parameters,
                                       const ComputedProperties& computed,
                                       const gateway::ContainerEntry& container,
                                       const VectorDefaults& vectors) {
  return {.text = text,
          .parameters = parameters,
          .computed = computed,
          .container = container,
          .features = {.hybrid_search = true},
          .vectors = vectors};
}

}  // namespace

query::RunnerOutcome<RunnerResult> SqlQueryRunner::Run(const RunnerRequest& asked) {
  const auto container = parts_.gateway.catalog().FindContainer(asked.database, asked.container);
  if (!container.has_value()) return std::unexpected(RunnerFailure(container.error()));
  auto parameters = ParametersOf(asked.parameters);
  if (!parameters.has_value()) return std::unexpected(RunnerFailure(parameters.error()));
  const auto scripts = parts_.scripts.Of(**container);
  if (!scripts.has_value()) return std::unexpected(RunnerFailure(scripts.error()));
  QueryFunctions functions(parts_.functions, parts_.clock, *container, *scripts, {});
  QueryRequest request{.container = *container,
                       .text = asked.text,
                       .parameters = *std::move(parameters),
                       .computed = ComputedPropertiesOf(**container),
                       .vectors = VectorDefaultsOf(**container),
                       .max_items = static_cast<int64_t>(asked.items_max),
                       .continuation = asked.continuation,
                       .user_functions = &functions,
                       .wants_index_use = true,
                       .context = asked.context};
  auto page = parts_.engine.Run(request);
  if (!page.has_value()) return std::unexpected(FailureOf(page.error()));
  RunnerResult result;
  result.documents = std::move(page->rows);
  result.continuation = std::move(page->continuation);
  result.charge = page->charge;
  for (const std::string& path : page->indexes.potential) {
    result.hints.push_back(
        fmt::format("index {}: a condition names it and the indexing policy leaves it out", path));
  }
  const auto plan = parts_.engine.Plan(PlanRequestOf(
      request.text, request.parameters, request.computed, **container, request.vectors));
  if (plan.has_value()) {
    const auto json = model::ValueFromJson(*plan);
    const auto& paths = (*container)->settings.partition_key_paths;
    if (json.has_value() && !IsOfOneKey(*json) && !paths.empty()) {
      result.hints.push_back(fmt::format(
          "name {} in a condition of equality to stay in one partition", fmt::join(paths, ", ")));
    }
  }
  return result;
}

query::RunnerOutcome<std::string> SqlQueryRunner::Plan(const RunnerRequest& asked) {
  const auto container = parts_.gateway.catalog().FindContainer(asked.database, asked.container);
  if (!container.has_value()) return std::unexpected(RunnerFailure(container.error()));
  const auto parameters = ParametersOf(asked.parameters);
  if (!parameters.has_value()) return std::unexpected(RunnerFailure(parameters.error()));
  const ComputedProperties computed = ComputedPropertiesOf(**container);
  const VectorDefaults vectors = VectorDefaultsOf(**container);
  auto plan =
      parts_.engine.Plan(PlanRequestOf(asked.text, *parameters, computed, **container, vectors));
  if (!plan.has_value()) return std::unexpected(FailureOf(plan.error()));
  return *std::move(plan);
}

}  // namespace orrery::sql
