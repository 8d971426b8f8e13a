#include "query/runner/query_runner.h"

#include <fmt/format.h>

namespace orrery::query {

RunnerOutcome<std::string> QueryRunner::Plan(const RunnerRequest&) {
  return std::unexpected(RunnerFailure(
      Error(Code::kUnsupported, fmt::format("queries of '{}' have no plan to show", api()))));
}

}  // namespace orrery::query
