// Runs something on a logical partition until it could be committed without a conflict.
//
// Each attempt has a view of its own; one that fails, or whose documents somebody else changed,
// leaves nothing behind. After kConflictRunsMax conflicts, or when the time is over, the whole
// fails.
#pragma once

#include <expected>
#include <functional>
#include <optional>
#include <string>

#include "api/sql/script/run/run_script.h"
#include "base/ids.h"
#include "base/request_units.h"
#include "gateway/requests.h"

namespace orrery::sql {

struct Transacted {
  std::expected<void, Failure> status;
  std::optional<Lsn> lsn;  // of what was written
  RequestUnits charge;     // of all attempts
  std::string session;
};

using AttemptBody = std::function<std::expected<void, Failure>(const Attempt&)>;

// `sandbox` is where `body` runs scripts: nothing is committed once its job was given up.
// Blocks. REQUIRES: not on a thread that the gateway needs (its commit and I/O pools).
Transacted Transact(const ScriptParts& parts, script::Sandbox& sandbox,
                    const gateway::ContainerRef& container, const gateway::KeyValues& partition_key,
                    const AttemptBody& body);

}  // namespace orrery::sql
