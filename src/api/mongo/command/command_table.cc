#include "api/mongo/command/command_table.h"

#include <fmt/format.h>

#include <algorithm>

namespace orrery::mongo {

CommandTable::CommandTable() {
  for (const auto& family :
       {HandshakeCommands(), LoginCommands(), UserCommands(), QueryCommands(), ExplainCommands(),
        CursorCommands(), WriteCommands(), CollectionCommands(), IndexCommands(), SessionCommands(),
        DiagnosticCommands(), InspectionCommands(), CosmosCommands()})
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
  const bool may = std::ranges::any_of(client.principals, [&](const Principal& principal) {
    return Allows(principal.roles, entry.action, context.database());
  });
  if (may) return {};
  return Refuse(ErrorCode::kUnauthorized, fmt::format("not authorized on {} to execute command {}",
                                                      context.database(), entry.name));
}

}  // namespace orrery::mongo
