// Executes queries over the entities of a table, page by page.
#pragma once

#include <optional>

#include "api/table/executor/call.h"
#include "api/table/executor/parts.h"

namespace orrery::table {

class QueryCommand {
 public:
  explicit QueryCommand(const CommandParts& parts) : parts_(parts) {}

  // Answers the call: at once if the page is small and in memory, else from the pool. REQUIRES: the
  // grant was checked.
  void Run(Call call) const;
  // Returns the answer. Blocks. REQUIRES: the same.
  Outcome<Reply> RunAndWait(const Call& call) const { return *TryRun(call, /*at_once=*/false); }

 private:
  // Blocks unless `at_once`; nullopt if it would have to.
  std::optional<Outcome<Reply>> TryRun(const Call& call, bool at_once) const;

  const CommandParts parts_;
};

}  // namespace orrery::table
