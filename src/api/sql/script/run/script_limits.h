// Limits of one stored procedure, or of one write with its triggers.
#pragma once

#include <chrono>
#include <cstddef>

#include "api/sql/script/host/collection_host.h"
#include "api/sql/script/transaction/script_documents.h"

namespace orrery::sql {

struct ScriptLimits {
  // All of it, runs after a conflict included.
  std::chrono::milliseconds time{5'000};
  // Of each run: after that much of its time no operation is accepted, so that a script can end.
  std::chrono::milliseconds accept_time{4'000};
  size_t operations_max = kScriptOperationsMax;
  // The size of the answer of a procedure, and of each document or body that a script hands over.
  size_t result_bytes_max = size_t{4} << 20;
  // The log travels in a header, three times as long at worst.
  size_t log_bytes_max = size_t{4} << 10;
  ScriptDocuments::Limits transaction;
};

// Runs of a script whose documents somebody else changed each time.
inline constexpr int kConflictRunsMax = 5;
inline constexpr size_t kScriptArgumentsMax = 255;
// The service allows one of each type with a write; more are run in the order given.
inline constexpr size_t kTriggersPerWriteMax = 10;

}  // namespace orrery::sql
