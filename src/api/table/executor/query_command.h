// Executes queries over the entities of a table, page by page.
#pragma once

#include "api/table/executor/call.h"
#include "api/table/executor/parts.h"

namespace orrery::table {

class QueryCommand {
 public:
  explicit QueryCommand(const CommandParts& parts) : parts_(parts) {}

  // Blocks. REQUIRES: the grant was checked.
  Outcome<Reply> Run(const Call& call) const;

 private:
  const CommandParts parts_;
};

}  // namespace orrery::table
