#include "api/mongo/command/transaction/transaction_call.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "api/mongo/command/command_table.h"
#include "api/mongo/command/fields.h"
#include "api/mongo/command/query_arguments.h"

namespace orrery::mongo {
namespace {

constexpr std::array<std::string_view, 13> kAllowed = {
    "find",   "getMore",       "killCursors",   "aggregate", "distinct",      "insert",   "update",
    "delete", "findAndModify", "findandmodify", "create",    "createIndexes", "bulkWrite"};

bool EndsTransaction(std::string_view command) {
  return command == "commitTransaction" || command == "abortTransaction";
}

std::unexpected<MongoError> NotInTransaction(std::string text) {
  return Refuse(ErrorCode::kOperationNotSupportedInTransaction, std::move(text));
}

Outcome CheckMayRun(const CommandEntry& entry, const CommandContext& context, bool starts) {
  const std::string_view name = entry.name;
  if (EndsTransaction(name)) {
    if (!starts) return {};
    return NotInTransaction(fmt::format("Cannot start a transaction with {}",
                                        name == "commitTransaction" ? "a commit" : "an abort"));
  }
  if (name == "count") {
    return NotInTransaction(
        "Cannot run 'count' in a multi-document transaction. Please see "
        "http://dochub.mongodb.org/core/transaction-count for a recommended alternative.");
  }
  if (std::ranges::find(kAllowed, name) == kAllowed.end()) {
    if (entry.action == Action::kNothing)
      return NotInTransaction("This command is not supported in transactions");
    return NotInTransaction(fmt::format("Cannot run '{}' in a multi-document transaction.", name));
  }
  if (name == "killCursors" && starts) {
    return NotInTransaction(
        "Cannot run killCursors as the first operation in a multi-document transaction.");
  }
  if (context.database() == "local")
    return NotInTransaction("Cannot run command against the 'local' database in a transaction.");
  if (context.database() == "config")
    return NotInTransaction("Cannot run command against the config database in a transaction.");
  return {};
}

Outcome CheckConcernsWithin(const CommandEntry& entry, const CommandContext& context, bool starts) {
  const model::DocumentView body = context.body();
  if (EndsTransaction(entry.name)) return {};
  if (body.Find("writeConcern").has_value()) {
    return Refuse(ErrorCode::kInvalidOptions,
                  "writeConcern is not allowed within a multi-statement transaction");
  }
  const auto concern = body.Find("readConcern");
  if (!concern.has_value()) return {};
  if (!starts) {
    return Refuse(ErrorCode::kInvalidOptions,
                  "Only the first command in a transaction may specify a readConcern");
  }
  if (concern->kind() != model::Kind::kObject) return {};
  const auto level = concern->AsDocument().Find("level");
  if (level.has_value() && level->kind() == model::Kind::kString &&
      (level->AsString() == "linearizable" || level->AsString() == "available")) {
    return Refuse(ErrorCode::kInvalidOptions,
                  "The readConcern level must be either 'local' (default), 'majority' or "
                  "'snapshot' in order to run in a transaction");
  }
  return {};
}

}  // namespace

Answer<std::optional<TransactionCall>> ReadTransactionCall(const CommandEntry& entry,
                                                           const CommandContext& context) {
  const model::DocumentView body = context.body();
  const auto autocommit = body.Find("autocommit");
  const auto start = body.Find("startTransaction");
  if (!autocommit.has_value() && !start.has_value()) return std::nullopt;
  const auto flag = [](std::string_view name, const model::ElementView& field) -> Answer<bool> {
    if (field.kind() == model::Kind::kBool) return field.AsBool();
    return Refuse(ErrorCode::kTypeMismatch,
                  fmt::format("BSON field 'OperationSessionInfo.{}' is the wrong type '{}', "
                              "expected type 'bool'",
                              name, TypeNameOf(field)));
  };
  if (!autocommit.has_value()) {
    return Refuse(ErrorCode::kInvalidOptions,
                  "'startTransaction' field requires 'autocommit' field to also be specified");
  }
  const auto number = body.Find("txnNumber");
  if (!number.has_value()) {
    return Refuse(ErrorCode::kInvalidOptions,
                  "'autocommit' field requires a transaction number to also be specified");
  }
  if (number->kind() != model::Kind::kInt64) {
    return Refuse(ErrorCode::kTypeMismatch,
                  fmt::format("BSON field 'OperationSessionInfo.txnNumber' is the wrong type '{}', "
                              "expected type 'long'",
                              TypeNameOf(*number)));
  }
  if (context.session.empty()) {
    return Refuse(ErrorCode::kInvalidOptions,
                  "Transaction number requires a session ID to also be specified");
  }
  TransactionCall call{.number = number->AsInteger()};
  if (call.number < 0)
    return Refuse(ErrorCode::kInvalidOptions, "Transaction number cannot be negative");
  MONGO_ASSIGN(const bool commits_itself, flag("autocommit", *autocommit));
  if (commits_itself)
    return Refuse(ErrorCode::kInvalidOptions, "Specifying autocommit=true is not allowed.");
  if (start.has_value()) {
    MONGO_ASSIGN(call.starts, flag("startTransaction", *start));
    if (!call.starts)
      return Refuse(ErrorCode::kInvalidOptions,
                    "Specifying startTransaction=false is not allowed.");
  }
  MONGO_TRY(CheckMayRun(entry, context, call.starts));
  MONGO_TRY(CheckConcernsWithin(entry, context, call.starts));
  return call;
}

}  // namespace orrery::mongo
