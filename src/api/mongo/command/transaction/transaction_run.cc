#include "api/mongo/command/transaction/transaction_run.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "api/mongo/command/operation/operation_registry.h"
#include "api/mongo/command/transaction/mongo_transaction.h"
#include "api/mongo/command/write_reply.h"
#include "api/mongo/error/error_map.h"
#include "gateway/snapshot/transaction_coordinator.h"

namespace orrery::mongo {
namespace {

bool MakesCollections(std::string_view command) {
  return command == "insert" || command == "update" || command == "findAndModify" ||
         command == "findandmodify" || command == "create" || command == "createIndexes";
}

// New indexes may come to collections that the transaction has made and not written to.
Outcome CheckCreateIndexes(const CommandContext& context, MongoTransaction& transaction) {
  MONGO_ASSIGN(const Namespace name, context.command.CollectionOf());
  if (context.services.collections.Find(name) == nullptr) return {};
  const std::string text = name.ToString();
  if (!transaction.created().contains(text)) {
    return Refuse(ErrorCode::kOperationNotSupportedInTransaction,
                  fmt::format("Cannot create new indexes on existing collection {} in a "
                              "multi-document transaction.",
                              text));
  }
  if (!transaction.written().contains(text)) return {};
  return Refuse(ErrorCode::kOperationNotSupportedInTransaction,
                fmt::format("Cannot create new indexes on non-empty collection {} in a "
                            "multi-document transaction.",
                            text));
}

// Stages that write, or show what no snapshot has.
Outcome CheckPipeline(const CommandContext& context) {
  const auto pipeline = context.body().Find("pipeline");
  if (!pipeline.has_value() || pipeline->kind() != model::Kind::kArray) return {};
  for (const model::ElementView stage : pipeline->AsDocument()) {
    if (stage.kind() != model::Kind::kObject || stage.AsDocument().empty()) continue;
    const std::string name((*stage.AsDocument().begin()).name());
    const auto refuse = [](std::string text) {
      return Refuse(ErrorCode::kOperationNotSupportedInTransaction, std::move(text));
    };
    if (name == "$out" || name == "$merge")
      return refuse(fmt::format("{} cannot be used in a transaction", name));
    if (name == "$collStats" || name == "$indexStats" || name == "$planCacheStats")
      return refuse(
          fmt::format("Stage not supported inside of a multi-document transaction: {}", name));
    if (name == "$currentOp" || name == "$listSessions" || name == "$listLocalSessions" ||
        name == "$changeStream")
      return refuse(
          fmt::format("Operation not permitted in transaction :: caused by :: "
                      "Aggregation stage {} cannot run within a multi-document "
                      "transaction.",
                      name));
  }
  return {};
}

CommandReply RunHandler(const CommandEntry& entry, const std::shared_ptr<CommandContext>& context,
                        MongoTransaction& transaction) {
  const auto name = context->command.target().kind() == model::Kind::kString
                        ? context->command.CollectionOf()
                        : Refuse(ErrorCode::kInvalidNamespace, "");
  const bool may_make = MakesCollections(entry.name) && name.has_value();
  const CollectionCatalog& collections = context->services.collections;
  const bool was_there = may_make && collections.Find(*name) != nullptr;
  if (entry.name == "createIndexes") MONGO_TRY(CheckCreateIndexes(*context, transaction));
  if (entry.name == "aggregate") MONGO_TRY(CheckPipeline(*context));
  if (entry.name == "create" && was_there) {
    return Refuse(ErrorCode::kNamespaceExists,
                  fmt::format("Collection {} already exists.", name->ToString()));
  }
  CommandReply reply = entry.handler(*context);
  if (may_make && !was_there && collections.Find(*name) != nullptr)
    transaction.created().insert(name->ToString());
  if (entry.is_write && name.has_value()) transaction.written().insert(name->ToString());
  return reply;
}

CommandReply RunStatement(const CommandEntry& entry, CommandContext& outer,
                          const std::shared_ptr<MongoTransaction>& transaction) {
  MONGO_TRY(transaction->CheckInProgress());
  MONGO_TRY(transaction->Begin());
  const auto context = std::make_shared<CommandContext>(outer, transaction);
  std::optional<OperationEntry> operation(std::in_place, outer.services.operations, context,
                                          outer.services.clock.Monotonic());
  CommandReply reply = RunHandler(entry, context, *transaction);
  operation.reset();
  outer.charge += context->charge;
  if (auto failure = transaction->Failure()) {
    const bool is_modify = entry.name == "findAndModify" || entry.name == "findandmodify";
    if (is_modify && failure->code == static_cast<int32_t>(ErrorCode::kWriteConflict)) {
      failure =
          std::move(*failure).Prefixed("Plan executor error during findAndModify :: caused by :: ");
    }
    reply = std::unexpected(*std::move(failure));
  }
  // Any error ends it.
  if (!reply.has_value() || context->has_write_errors) transaction->Abort();
  return reply;
}

CommandReply RunEnd(const CommandEntry& entry, MongoTransaction& transaction) {
  if (entry.name == "commitTransaction") {
    MONGO_TRY(transaction.Commit());
    return model::DocumentBuilder();
  }
  MONGO_TRY(transaction.CheckInProgress());
  transaction.Abort();
  return model::DocumentBuilder();
}

// A commit may be of a transaction that was committed before a restart.
CommandReply CommitUnknown(const CommandContext& context, MongoError unknown) {
  const CommitReceipt receipt = ReceiptOf(context.session, context.transaction_call->number);
  const auto found =
      context.services.gateway.transactions().HasReceipt(receipt.name, receipt.bytes);
  if (!found.has_value()) return Refuse(found.error());
  // Another node of a cluster may be about to decide.
  if (!*found && context.services.gateway.has_peers()) {
    return Refuse(ErrorCode::kHostUnreachable,
                  "this node does not know what came of the transaction; commit it again, at the "
                  "node that it began at if that is there");
  }
  if (!*found) return std::unexpected(std::move(unknown));
  return model::DocumentBuilder();
}

// The concern of a command that reads a snapshot outside transactions.
std::optional<model::DocumentView> SnapshotConcern(const CommandEntry& entry,
                                                   const CommandContext& context) {
  if (entry.name != "find" && entry.name != "aggregate" && entry.name != "distinct")
    return std::nullopt;
  const auto concern = context.body().Find("readConcern");
  if (!concern.has_value() || concern->kind() != model::Kind::kObject) return std::nullopt;
  const auto level = concern->AsDocument().Find("level");
  if (!level.has_value() || level->kind() != model::Kind::kString ||
      level->AsString() != "snapshot")
    return std::nullopt;
  return concern->AsDocument();
}

Answer<std::shared_ptr<MongoTransaction>> SnapshotFor(const CommandContext& context,
                                                      model::DocumentView concern) {
  SessionRegistry& sessions = context.services.sessions;
  if (const auto at = concern.Find("atClusterTime")) {
    if (at->kind() != model::Kind::kTimestamp)
      return Refuse(ErrorCode::kTypeMismatch, "'atClusterTime' must be a timestamp");
    const model::BsonTimestamp stamp = at->ToValue().AsTimestamp();
    auto kept =
        sessions.FindSnapshot(context.session, uint64_t{stamp.seconds} << 32 | stamp.increment);
    if (kept != nullptr) return kept;
    return Refuse(
        ErrorCode::kSnapshotTooOld,
        fmt::format("Read timestamp Timestamp({}, {}) is not that of a snapshot that this "
                    "session has on this node, or is older than {} seconds",
                    stamp.seconds, stamp.increment, kSnapshotLifetimeSeconds));
  }
  auto snapshot = std::make_shared<MongoTransaction>(context.services, context.session, -1);
  MONGO_TRY(snapshot->Begin());
  if (!context.session.empty()) sessions.KeepSnapshot(context.session, snapshot);
  return snapshot;
}

void Finish(CommandDone& done, CommandReply reply) {
  if (!reply.has_value()) AddTransientLabel(reply.error());
  done(std::move(reply));
}

// Ends the command. A client that does not know whether a commit was made must not run it again.
void FinishEnd(CommandDone& done, CommandReply reply) {
  const auto is_known = [](int32_t code) {
    return code == static_cast<int32_t>(ErrorCode::kWriteConflict) ||
           code == static_cast<int32_t>(ErrorCode::kSnapshotUnavailable) ||
           code == static_cast<int32_t>(ErrorCode::kNoSuchTransaction);
  };
  if (!reply.has_value() && is_known(reply.error().code)) AddTransientLabel(reply.error());
  done(std::move(reply));
}

}  // namespace

CommandReply RunOutside(const CommandEntry& entry, const std::shared_ptr<CommandContext>& outer) {
  const auto concern = SnapshotConcern(entry, *outer);
  if (!concern.has_value()) return entry.handler(*outer);
  MONGO_ASSIGN(const std::shared_ptr<MongoTransaction> snapshot, SnapshotFor(*outer, *concern));
  CommandContext context(*outer, snapshot);
  context.transaction.reset();
  context.at_cluster_time = snapshot->core().start();
  CommandReply reply = entry.handler(context);
  outer->charge += context.charge;
  if (auto failure = snapshot->Failure()) return std::unexpected(*std::move(failure));
  return reply;
}

void RunInTransaction(const CommandEntry& entry, std::shared_ptr<CommandContext> context,
                      CommandDone done) {
  const MongoServices& services = context->services;
  auto entered =
      services.sessions.EnterTransaction(services, context->session, *context->transaction_call);
  auto shared = std::make_shared<CommandDone>(std::move(done));
  bool is_taken = true;
  if (!entered.has_value()) {
    const bool may_be_done =
        entry.name == "commitTransaction" &&
        entered.error().code == static_cast<int32_t>(ErrorCode::kNoSuchTransaction);
    if (!may_be_done) return Finish(*shared, std::unexpected(std::move(entered).error()));
    is_taken = services.gateway.io_pool().Submit(
        [context, shared, unknown = std::move(entered).error()]() mutable {
          FinishEnd(*shared, CommitUnknown(*context, std::move(unknown)));
        });
  } else {
    const std::shared_ptr<MongoTransaction> transaction = *std::move(entered);
    is_taken = transaction->Post([&entry, context, shared, transaction] {
      const bool ends = entry.name == "commitTransaction" || entry.name == "abortTransaction";
      if (ends) return FinishEnd(*shared, RunEnd(entry, *transaction));
      Finish(*shared, RunStatement(entry, *context, transaction));
    });
  }
  if (!is_taken) Finish(*shared, std::unexpected(ToMongoError(Error(Code::kOverloaded, "busy"))));
}

}  // namespace orrery::mongo
