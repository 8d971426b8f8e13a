// Executes requests about one entity: reads, and writes of every kind.
#pragma once

#include "api/table/entity/entity_writer.h"
#include "api/table/executor/call.h"
#include "api/table/executor/entity_change.h"
#include "api/table/executor/parts.h"

namespace orrery::table {

// Returns the form in which the call's answers show entities of the table.
EntityFormat FormatOf(const Call& call, const gateway::ContainerEntry& table);

// Returns the answer for a change that was made.
struct MadeChange {
  Operation operation;
  std::string partition_key;
  std::string row_key;
};
Reply ChangeReply(const MadeChange& change, const item::OperationResult& result,
                  const EntityFormat& format, Preference preference);

class EntityCommands {
 public:
  explicit EntityCommands(const CommandParts& parts) : parts_(parts) {}

  // Both answer from the event loop where they can. REQUIRES: the grant was checked.
  void Get(Call call) const;
  void Change(Call call) const;

  // Returns nullopt when it would block.
  std::optional<Outcome<Reply>> TryGet(const Call& call, const gateway::ContainerRef& table,
                                       storage::ReadMode mode) const;

 private:
  Outcome<EntityChange> ReadCall(const Call& call) const;

  const CommandParts parts_;
};

}  // namespace orrery::table
