#include "api/mongo/command/command_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/mongo/access/role_directory.h"
#include "api/mongo/command/access/demands.h"

namespace orrery::mongo {

CommandTable::CommandTable() {
  for (const auto& family :
       {HandshakeCommands(),  LoginCommands(),      UserCommands(),        RoleCommands(),
        QueryCommands(),      ExplainCommands(),    CursorCommands(),      MapReduceCommands(),
        WriteCommands(),      BulkWriteCommands(),  CollectionCommands(),  RenameCommands(),
        IndexCommands(),      SessionCommands(),    TransactionCommands(), OperationCommands(),
        DiagnosticCommands(), InspectionCommands(), CosmosCommands(),      CappedCommands()})
    Add(family);
  for (const auto& [name, entry] : entries_) list_.push_back(&entry);
  std::ranges::sort(list_, {}, &CommandEntry::name);
}

void CommandTable::Add(const std::vector<CommandEntry>& entries) {
  for (const CommandEntry& entry : entries) entries_.emplace(std::string(entry.name), entry);
}

const CommandEntry* CommandTable::Find(std::string_view name) const {
  const auto found = entries_.find(std::string(name));
  return found == entries_.end() ? nullptr : &found->second;
}

Outcome CheckCommand(const CommandEntry& entry, const CommandContext& context) {
  const Client& client = *context.client;
  if (entry.admin_only && context.database() != "admin") {
    return Refuse(ErrorCode::kUnauthorized,
                  fmt::format("{} may only be run against the admin database.", entry.name));
  }
  if (entry.action == Action::kNothing || client.is_trusted) return {};
  if (client.principals.empty()) {
    return Refuse(ErrorCode::kUnauthorized,
                  fmt::format("command {} requires authentication", entry.name));
  }
  Outcome may = CheckMay(context, entry.action, context.database());
  if (may.has_value()) return may;
  const auto demands = DemandsOf(context);
  if (demands.has_value() &&
      CheckRights(context.services, client, entry.action, *demands).has_value())
    return {};
  return may;
}

Outcome CheckMay(const CommandContext& context, Action action, std::string_view database) {
  const Client& client = *context.client;
  if (client.is_trusted) return {};
  const bool may = std::ranges::any_of(client.principals, [&](const Principal& principal) {
    if (Allows(principal.roles, action, database)) return true;
    if (std::ranges::all_of(principal.roles, IsBuiltInRole)) return false;
    return Allows(context.services.roles.Resolve(principal.roles).built_in, action, database);
  });
  if (may) return {};
  return Refuse(ErrorCode::kUnauthorized, fmt::format("not authorized on {} to execute command {}",
                                                      database, context.command.name()));
}

}  // namespace orrery::mongo
