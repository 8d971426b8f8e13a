// Histories as text: one JSON object a line.
//
//   {"process": 3, "op": "write", "key": "k1", "value": "v7",
//    "invoked": 1200, "completed": 1350, "outcome": "ok"}
//
//   op         read | write | cas | append | delete
//   value      what was written, appended, or seen; null = nothing; an array of strings is what a
//              key holds after as many appends
//   expected   of a cas; null = nothing
//   saw        of a cas that did not match, if known
//   invoked, completed   whole numbers from 0; no "completed" when the outcome is unknown
//   outcome    ok | mismatch (of a cas) | fail | unknown
//
// Empty lines are skipped; other fields are let be.
#pragma once

#include <istream>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "history/operation.h"

namespace orrery::history {

inline constexpr size_t kLineBytesMax = size_t{1} << 20;
inline constexpr size_t kOperationsMax = 20'000'000;

// One line. kInvalidArgument says what is wrong with it.
Result<Operation> ParseOperation(std::string_view line);

// All of it. Errors name the line.
Result<std::vector<Operation>> ReadHistory(std::istream& in);

}  // namespace orrery::history
