// commitTransaction and abortTransaction, where they come without a transaction: within one they
// are transaction/transaction_run.cc's.
#include <fmt/format.h>

#include "api/mongo/command/command_table.h"

namespace orrery::mongo {
namespace {

CommandReply EndNothing(CommandContext& context) {
  return Refuse(ErrorCode::kCommandFailed,
                fmt::format("{} must be run within a transaction", context.command.name()));
}

}  // namespace

std::vector<CommandEntry> TransactionCommands() {
  const auto end = [](std::string_view name) {
    return CommandEntry{.name = name,
                        .action = Action::kLogIn,
                        .handler = EndNothing,
                        .on_loop = true,
                        .admin_only = true};
  };
  return {end("commitTransaction"), end("abortTransaction")};
}

}  // namespace orrery::mongo
