// Bytecode of any content, as GraphSON and as GraphBinary: planned and made into a pipeline, or an
// error.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "api/gremlin/graph/memory_store_for_test.h"
#include "api/gremlin/planner/planner.h"
#include "api/gremlin/planner/step_text.h"
#include "api/gremlin/protocol/message.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace orrery::gremlin;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const GraphRules rules{.partition_key = "pk", .partition_is_id = false};
  for (const Encoding encoding :
       {Encoding::kGraphSon2, Encoding::kGraphSon3, Encoding::kGraphBinary}) {
    const auto request = DecodeRequest(encoding, bytes);
    if (!request.has_value()) continue;
    const Value* program = request->args.Find("gremlin");
    if (program == nullptr || program->type() != Type::kTraversal) continue;
    const auto plan = MakePlan(program->AsTraversal(), rules);
    if (plan.has_value()) (void)Explanation(program->AsTraversal(), *plan);
  }
  return 0;
}
