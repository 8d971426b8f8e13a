// Scripts of any content, planned and run over a small graph in memory: results or an error, within
// the limits of a run.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "api/gremlin/executor/operator.h"
#include "api/gremlin/graph/memory_store_for_test.h"
#include "api/gremlin/parser/parser.h"
#include "api/gremlin/planner/planner.h"

namespace orrery::gremlin {
namespace {

void RunScript(std::string_view text, MemoryStore& store) {
  const auto queries = ParseScript(text, {});
  if (!queries.has_value()) return;
  for (const ParsedQuery& query : *queries) {
    const auto plan = MakePlan(query.bytecode, store.rules());
    if (!plan.has_value()) continue;
    uint8_t last_uuid = 0;
    GraphTransaction graph(store, [&] { return UuidBytes{++last_uuid}; });
    const RequestContext context;
    const SystemClock clock;
    Run run({.plan = *plan,
             .graph = graph,
             .context = context,
             .clock = clock,
             .limits = {.kept_max = 2'000, .path_length_max = 50, .moves_max = 5'000}});
    const auto pipeline = Pipeline::Make(run, plan->traversal);
    if (!pipeline.has_value()) continue;
    Batch start;
    start.emplace_back();
    if (plan->sack.has_value()) start.front().sack = *plan->sack;
    (*pipeline)->Feed(std::move(start));
    Batch out;
    while (out.size() < 1'000) {
      const auto any = (*pipeline)->Next(out);
      if (!any.has_value() || !*any) break;
    }
  }
}

}  // namespace
}  // namespace orrery::gremlin

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  orrery::gremlin::MemoryStore store;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  orrery::gremlin::RunScript(text, store);
  return 0;
}
