// Executes requests about tables themselves: list, create, delete, access policies.
#pragma once

#include "api/table/executor/call.h"
#include "api/table/executor/parts.h"

namespace orrery::table {

class TableCommands {
 public:
  explicit TableCommands(const CommandParts& parts) : parts_(parts) {}

  // All block. REQUIRES: the grant was checked.
  Outcome<Reply> List(const Call& call) const;
  Outcome<Reply> Get(const Call& call) const;
  Outcome<Reply> Create(const Call& call) const;
  Outcome<Reply> Delete(const Call& call) const;
  Outcome<Reply> GetAcl(const Call& call) const;
  Outcome<Reply> SetAcl(const Call& call) const;

 private:
  const CommandParts parts_;
};

}  // namespace orrery::table
