// Executes requests about the service as a whole: its properties and its statistics.
#pragma once

#include "api/table/executor/call.h"
#include "api/table/executor/parts.h"

namespace orrery::table {

class ServiceCommands {
 public:
  explicit ServiceCommands(const CommandParts& parts) : parts_(parts) {}

  // All block. REQUIRES: the grant was checked.
  Outcome<Reply> GetProperties(const Call& call) const;
  Outcome<Reply> SetProperties(const Call& call) const;
  // There is no second region: replication is always up to date.
  Outcome<Reply> GetStats(const Call& call) const;

 private:
  const CommandParts parts_;
};

}  // namespace orrery::table
