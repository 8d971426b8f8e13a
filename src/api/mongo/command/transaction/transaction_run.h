// Runs the commands of transactions.
#pragma once

#include <memory>

#include "api/mongo/command/command_context.h"
#include "api/mongo/command/command_table.h"

namespace orrery::mongo {

// Runs a command in the transaction that it names, on the I/O pool; `done` is called once, from any
// thread. REQUIRES: the context has a TransactionCall.
void RunInTransaction(const CommandEntry& entry, std::shared_ptr<CommandContext> context,
                      CommandDone done);

// Runs a command outside transactions by its handler: one with the read concern "snapshot" on a
// snapshot, which its session keeps for later reads of the same time. Blocks.
CommandReply RunOutside(const CommandEntry& entry, const std::shared_ptr<CommandContext>& outer);

}  // namespace orrery::mongo
