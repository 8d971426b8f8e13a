// An Exchange is what a script sees and may change of the request it runs in and of the answer to
// it.
//
// One for each run of a procedure; the triggers of one write share it, so that each sees what those
// before it changed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "model/value.h"

namespace orrery::sql {

enum class ScriptRole : uint8_t { kProcedure, kPreTrigger, kPostTrigger };

struct Exchange {
  ScriptRole role = ScriptRole::kProcedure;
  // JSON texts; none is `undefined` to the script.
  std::optional<std::string> request_body{};
  std::optional<std::string> response_body{};
  // The result of getOperationType: "Create", "Upsert"; empty outside of triggers.
  std::string operation{};
  // Headers, by name. Scripts can read them and change those that are there.
  model::Fields request_values{};
  model::Fields response_values{};
  // The usage and the quotas of the container, as clients are told.
  std::string usage{};
  std::string quota{};
};

}  // namespace orrery::sql
