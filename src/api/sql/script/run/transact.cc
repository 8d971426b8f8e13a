#include "api/sql/script/run/transact.h"

#include <memory>
#include <utility>

#include "api/sql/script/run/script_failure.h"

namespace orrery::sql {
namespace {

// One attempt: false when it is to be made again.
bool TryOnce(const ScriptParts& parts, script::Sandbox& sandbox, ScriptDocuments& view,
             Micros deadline, const AttemptBody& body, Transacted& result) {
  result.status = body({.view = view, .deadline = deadline});
  // Whoever was told that the time is over must not find it written.
  if (result.status.has_value() && !sandbox.Claim()) {
    result.status = std::unexpected(
        FailureOfScript(script::MakeFailure(script::Reason::kTime, "the time is over")));
    return true;
  }
  if (result.status.has_value()) {
    auto committed = view.Commit();
    if (committed.has_value()) {
      result.lsn = *committed;
    } else {
      result.status = std::unexpected(FailureOf(committed.error()));
    }
  }
  result.charge += view.charge();
  result.session = view.session();
  // A conflict is the cause of whatever the attempt came to.
  if (!view.conflicted()) return true;
  sandbox.Unclaim();
  result.status = std::unexpected(TooManyConflicts());
  return parts.clock.Monotonic() >= deadline;
}

}  // namespace

Transacted Transact(const ScriptParts& parts, script::Sandbox& sandbox,
                    const gateway::ContainerRef& container, const gateway::KeyValues& partition_key,
                    const AttemptBody& body) {
  const Micros deadline = parts.clock.Monotonic() + Micros(parts.limits.time);
  Transacted result;
  for (int run = 0; run < kConflictRunsMax; ++run) {
    auto view = ScriptDocuments::Open(parts.gateway, parts.clock, container, partition_key,
                                      parts.limits.transaction);
    if (!view.has_value()) {
      result.status = std::unexpected(FailureOf(view.error()));
      return result;
    }
    if (TryOnce(parts, sandbox, *view, deadline, body, result)) return result;
  }
  return result;
}

}  // namespace orrery::sql
