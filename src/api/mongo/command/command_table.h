// The CommandTable has every command that the server knows: who may run it, where, and what does.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "api/mongo/access/principal.h"
#include "api/mongo/command/command_context.h"

namespace orrery::mongo {

// Runs a command to its reply on the calling thread.
using CommandHandler = CommandReply (*)(CommandContext& context);
// Takes a command that need not block, and calls `done` once, from any thread. False when the
// command must be run by its handler; nothing was done then, and `done` is as it was.
using CommandStarter = bool (*)(const std::shared_ptr<CommandContext>& context, CommandDone& done);

struct CommandEntry {
  std::string_view name;
  Action action = Action::kLogIn;
  CommandHandler handler = nullptr;
  bool on_loop = false;              // never blocks and is short
  CommandStarter starter = nullptr;  // tried first, on the event loop
  bool admin_only = false;           // may only be run against the database "admin"
  bool is_write = false;             // retryable writes may carry a txnNumber
};

class CommandTable {
 public:
  CommandTable();

  // By its name, as clients write it. nullptr when there is none.
  const CommandEntry* Find(std::string_view name) const;
  // By name.
  const std::vector<const CommandEntry*>& list() const { return list_; }

 private:
  void Add(const std::vector<CommandEntry>& entries);

  std::unordered_map<std::string, CommandEntry> entries_;
  std::vector<const CommandEntry*> list_;
};

// Checks that the client may run the command, and that it is one that this database takes.
Outcome CheckCommand(const CommandEntry& entry, const CommandContext& context);

// kUnauthorized unless the client may do this to a database, which the command named beside its
// own.
Outcome CheckMay(const CommandContext& context, Action action, std::string_view database);

// The families of commands, one file each in handler/.
std::vector<CommandEntry> HandshakeCommands();
std::vector<CommandEntry> LoginCommands();
std::vector<CommandEntry> UserCommands();
std::vector<CommandEntry> RoleCommands();
std::vector<CommandEntry> QueryCommands();
std::vector<CommandEntry> ExplainCommands();
std::vector<CommandEntry> CursorCommands();
std::vector<CommandEntry> MapReduceCommands();
std::vector<CommandEntry> WriteCommands();
std::vector<CommandEntry> BulkWriteCommands();
std::vector<CommandEntry> CollectionCommands();
std::vector<CommandEntry> RenameCommands();
std::vector<CommandEntry> CappedCommands();
std::vector<CommandEntry> IndexCommands();
std::vector<CommandEntry> SessionCommands();
std::vector<CommandEntry> TransactionCommands();
std::vector<CommandEntry> OperationCommands();
std::vector<CommandEntry> DiagnosticCommands();
std::vector<CommandEntry> InspectionCommands();
std::vector<CommandEntry> CosmosCommands();

}  // namespace orrery::mongo
