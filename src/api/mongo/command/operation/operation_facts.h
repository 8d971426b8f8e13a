// The facts of a command that statistics want: its kind, how much it asks for, and of which
// collection.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "api/mongo/command/command.h"
#include "api/mongo/command/operation/operation_counters.h"

namespace orrery::mongo {

struct OperationFacts {
  OperationKind kind = OperationKind::kCommand;
  int64_t operations = 1;       // documents or statements
  std::string_view collection;  // empty: none is named

  // "db.collection", or "db.$cmd".
  std::string NamespaceIn(std::string_view database) const;
};

// As currentOp and the profiler name it: "query", "remove".
std::string_view NameOfKind(OperationKind kind);

OperationFacts FactsOf(const Command& command);

}  // namespace orrery::mongo
