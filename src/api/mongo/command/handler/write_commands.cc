// insert, update, delete and findAndModify.
#include <fmt/format.h>

#include <algorithm>

#include "api/mongo/command/command_table.h"
#include "api/mongo/command/fields.h"
#include "api/mongo/command/session/session_arguments.h"
#include "api/mongo/command/write_arguments.h"
#include "api/mongo/command/write_reply.h"
#include "api/mongo/executor/write/document_checks.h"

namespace orrery::mongo {
namespace {

Outcome CheckInsertFields(const Fields& fields) {
  return fields.CheckKnown({"documents", "ordered", "bypassDocumentValidation", "collectionUUID"});
}

CommandReply Insert(CommandContext& context) {
  const Fields fields(context.body(), "insert");
  MONGO_TRY(CheckInsertFields(fields));
  MONGO_ASSIGN(const Namespace name, context.command.CollectionOf());
  MONGO_ASSIGN(const std::vector<model::DocumentView> documents,
               context.command.Documents("documents", "insert"));
  MONGO_TRY(CheckBatchSize(documents.size()));
  MONGO_ASSIGN(const WriteOptions options, ReadWriteOptions(fields));
  MONGO_TRY(context.services.collections.RefuseView(name));
  MONGO_ASSIGN(const CollectionPtr collection, context.services.collections.FindOrCreate(name));
  if (Outcome may = MayWriteInTransaction(context, *collection, /*removes=*/false);
      !may.has_value())
    return WriteReply(context, {.failed = {{0, std::move(may).error()}}}, false);
  MONGO_ASSIGN(const std::vector<int32_t> numbers,
               StatementNumbers(context.body(), documents.size()));
  auto state = std::make_shared<RunState>();
  auto done = WriterOf(context, state)
                  .Insert({.collection = collection,
                           .documents = documents,
                           .is_ordered = options.is_ordered || context.transaction != nullptr,
                           .validates = options.validates,
                           .retry = context.retry,
                           .statement_numbers = numbers});
  context.charge += state->charge;
  if (!done.has_value()) return std::unexpected(std::move(done).error());
  WriteSummary summary{.n = done->matched};
  std::ranges::sort(done->retried);
  for (const size_t number : done->retried) summary.retried.push_back(numbers[number]);
  for (WriteOutcome::Failure& failure : done->failures)
    summary.failed.push_back({failure.number, std::move(failure.error)});
  return WriteReply(context, summary, false);
}

// An insert of documents that one program can create needs no thread that waits.
bool StartInsert(const std::shared_ptr<CommandContext>& context, CommandDone& done) {
  const Fields fields(context->body(), "insert");
  if (!CheckInsertFields(fields).has_value()) return false;
  const auto name = context->command.CollectionOf();
  const auto documents = context->command.Documents("documents", "insert");
  const auto options = ReadWriteOptions(fields);
  if (!name.has_value() || !documents.has_value() || !options.has_value()) return false;
  const gateway::Gateway& gateway = context->services.gateway;
  const CollectionPtr collection = context->services.collections.Find(*name);
  if (collection == nullptr || collection->is_sharded() || documents->empty() ||
      collection->form == DocumentForm::kCapped ||
      documents->size() > gateway.limits().batch_operations_max)
    return false;
  // One that a unique index refuses is to be found among the others.
  if (documents->size() > 1 && collection->has_unique_index()) return false;
  std::vector<model::Document> stored;
  size_t bytes = 0;
  for (const model::DocumentView document : *documents) {
    auto prepared =
        PrepareInsert(*collection, document, model::Value::ObjectId(NewObjectId(context->services)),
                      options->validates, gateway.limits().item_bytes_max);
    if (!prepared.has_value()) return false;
    bytes += prepared->bson().size();
    stored.push_back(*std::move(prepared));
  }
  if (stored.size() > 1 && bytes > gateway.limits().batch_bytes_max) return false;
  const bool is_single = stored.size() == 1;
  auto numbers = StatementNumbers(context->body(), stored.size());
  if (!numbers.has_value()) return false;
  std::optional<RetryStatements> retry;
  if (context->retry.has_value()) retry.emplace(*context->retry, *numbers);
  context->services.gateway.Run(
      CollectionWriter::InsertOf(collection, std::move(stored), {.is_ordered = options->is_ordered},
                                 std::move(retry)),
      [context, collection, is_single, numbers = *std::move(numbers),
       done = std::move(done)](gateway::WriteResponse response) mutable {
        context->charge += response.charge;
        auto outcome = CollectionWriter::OutcomeOf(*collection, std::move(response));
        WriteSummary summary;
        if (outcome.has_value()) {
          summary.n = outcome->matched;
          for (const size_t number : outcome->retried) summary.retried.push_back(numbers[number]);
          for (WriteOutcome::Failure& failure : outcome->failures)
            summary.failed.push_back({failure.number, std::move(failure.error)});
        } else if (is_single) {
          summary.failed.push_back({0, std::move(outcome).error()});
        } else {
          return done(std::unexpected(std::move(outcome).error()));
        }
        done(WriteReply(*context, summary, false));
      });
  return true;
}

// Of a change of many documents nobody could say how many of them were made.
Outcome MayRetry(const CommandContext& context, const ChangeRequest& request) {
  if (!context.retry.has_value() || !request.multi) return {};
  return Refuse(ErrorCode::kInvalidOptions,
                "Cannot use (or request) retryable writes with multi=true");
}

// Runs the statements of an update or delete, one after the other.
template <typename Read>
CommandReply RunStatements(CommandContext& context, std::string_view list, bool is_update,
                           const Read& read) {
  const Fields fields(context.body(), is_update ? "update" : "delete");
  MONGO_TRY(
      fields.CheckKnown({list, "ordered", "bypassDocumentValidation", "let", "collectionUUID"}));
  MONGO_ASSIGN(const Namespace name, context.command.CollectionOf());
  MONGO_ASSIGN(const std::vector<model::DocumentView> statements,
               context.command.Documents(list, is_update ? "update" : "delete"));
  MONGO_TRY(CheckBatchSize(statements.size()));
  for (const model::DocumentView statement : statements)
    MONGO_TRY(is_update ? CheckUpdateShape(statement) : CheckDeleteShape(statement));
  MONGO_ASSIGN(const WriteOptions options, ReadWriteOptions(fields));
  MONGO_TRY(context.services.collections.RefuseView(name));
  MONGO_ASSIGN(const std::vector<int32_t> numbers,
               StatementNumbers(context.body(), statements.size()));
  CollectionPtr collection = context.services.collections.Find(name);
  auto state = std::make_shared<RunState>();
  CollectionWriter writer = WriterOf(context, state);
  WriteSummary summary;
  const bool ends_at_failure = options.is_ordered || context.transaction != nullptr;
  // Reads a statement. Nothing is to be done for one that may not be made, or has no collection.
  const auto read_one = [&](size_t i) -> Answer<std::optional<ChangeRequest>> {
    MONGO_ASSIGN(ChangeRequest request, read(context, collection, statements[i], options));
    MONGO_TRY(MayRetry(context, request));
    if (collection == nullptr && request.upserts) {
      MONGO_ASSIGN(collection, context.services.collections.FindOrCreate(name));
      request.collection = collection;
    }
    if (collection == nullptr) return std::nullopt;
    MONGO_TRY(MayWriteInTransaction(context, *collection, !is_update));
    request.retry = context.retry;
    request.statement_number = numbers[i];
    return request;
  };
  const auto note = [&](size_t i, Answer<WriteOutcome> outcome) {
    if (!outcome.has_value()) {
      summary.failed.push_back({i, std::move(outcome).error()});
      return;
    }
    summary.n += outcome->matched;
    summary.modified += outcome->modified;
    if (outcome->upserted.has_value())
      summary.upserted.push_back({i, *std::move(outcome->upserted)});
    if (!outcome->retried.empty()) summary.retried.push_back(numbers[i]);
    if (!outcome->failures.empty())
      summary.failed.push_back({i, std::move(outcome->failures.front().error)});
  };
  // Statements that follow each other are made together where they can be. In a transaction each
  // is by itself.
  const size_t together = context.transaction == nullptr ? CollectionWriter::kChangesAtOnce : 1;
  for (size_t i = 0; i < statements.size();) {
    std::vector<ChangeRequest> requests;
    std::optional<MongoError> failure;  // of the statement behind them
    bool is_idle = false;
    while (i + requests.size() < statements.size() && requests.size() < together) {
      auto request = read_one(i + requests.size());
      if (!request.has_value()) failure = std::move(request).error();
      is_idle = request.has_value() && !request->has_value();
      if (failure.has_value() || is_idle) break;
      requests.push_back(**std::move(request));
    }
    size_t done = 0;
    while (done < requests.size()) {
      auto outcomes = writer.ChangeSeveral(std::span(requests).subspan(done), ends_at_failure);
      for (Answer<WriteOutcome>& outcome : outcomes) note(i + done++, std::move(outcome));
      if (ends_at_failure && !summary.failed.empty()) break;
    }
    i += done;
    if (ends_at_failure && !summary.failed.empty()) break;
    if (failure.has_value()) summary.failed.push_back({i, *std::move(failure)});
    if (failure.has_value() && ends_at_failure) break;
    if (failure.has_value() || is_idle) ++i;
  }
  context.charge += state->charge;
  return WriteReply(context, summary, is_update);
}

CommandReply UpdateCommand(CommandContext& context) {
  return RunStatements(context, "updates", true, ReadUpdate);
}
CommandReply DeleteCommand(CommandContext& context) {
  return RunStatements(context, "deletes", false, ReadDelete);
}

// A single statement that names its document by `_id` needs no thread that waits.
template <typename Read>
bool StartStatement(const std::shared_ptr<CommandContext>& context, CommandDone& done,
                    std::string_view list, bool is_update, const Read& read) {
  const Fields fields(context->body(), is_update ? "update" : "delete");
  const auto known =
      fields.CheckKnown({list, "ordered", "bypassDocumentValidation", "let", "collectionUUID"});
  const auto name = context->command.CollectionOf();
  const auto statements = context->command.Documents(list, "");
  const auto options = ReadWriteOptions(fields);
  if (!known.has_value() || !name.has_value() || !statements.has_value() || !options.has_value() ||
      statements->size() != 1)
    return false;
  const CollectionPtr collection = context->services.collections.Find(*name);
  if (collection == nullptr) return false;
  auto request = read(*context, collection, statements->front(), *options);
  const auto numbers = StatementNumbers(context->body(), 1);
  if (!request.has_value() || !numbers.has_value() || !MayRetry(*context, *request).has_value())
    return false;
  const int32_t number = numbers->front();
  request->retry = context->retry;
  request->statement_number = number;
  const auto pinned = CollectionWriter::PinnedProgram(*request);
  if (!pinned.has_value()) return false;
  context->services.gateway.Run(
      *pinned, [context, collection, is_update, number,
                done = std::move(done)](gateway::WriteResponse response) mutable {
        context->charge += response.charge;
        auto outcome = CollectionWriter::OutcomeOf(*collection, std::move(response));
        WriteSummary summary;
        if (!outcome.has_value()) {
          summary.failed.push_back({0, std::move(outcome).error()});
        } else {
          summary.n = outcome->matched;
          summary.modified = outcome->modified;
          if (outcome->upserted.has_value())
            summary.upserted.push_back({0, *std::move(outcome->upserted)});
          if (!outcome->retried.empty()) summary.retried.push_back(number);
          if (!outcome->failures.empty())
            summary.failed.push_back({0, std::move(outcome->failures.front().error)});
        }
        done(WriteReply(*context, summary, is_update));
      });
  return true;
}

bool StartUpdate(const std::shared_ptr<CommandContext>& context, CommandDone& done) {
  return StartStatement(context, done, "updates", true, ReadUpdate);
}
bool StartDelete(const std::shared_ptr<CommandContext>& context, CommandDone& done) {
  return StartStatement(context, done, "deletes", false, ReadDelete);
}

CommandReply FindAndModify(CommandContext& context) {
  MONGO_ASSIGN(const Namespace name, context.command.CollectionOf());
  MONGO_TRY(context.services.collections.RefuseView(name));
  CollectionPtr collection = context.services.collections.Find(name);
  MONGO_ASSIGN(FindAndModifyArguments arguments, ReadFindAndModify(context, collection));
  if (collection == nullptr && arguments.change.upserts) {
    MONGO_ASSIGN(collection, context.services.collections.FindOrCreate(name));
    arguments.change.collection = collection;
  }
  MONGO_ASSIGN(const std::vector<int32_t> numbers, StatementNumbers(context.body(), 1));
  arguments.change.retry = context.retry;
  arguments.change.statement_number = numbers.front();
  WriteOutcome outcome;
  if (collection != nullptr) {
    MONGO_TRY(MayWriteInTransaction(context, *collection, arguments.removes));
    auto state = std::make_shared<RunState>();
    auto done = WriterOf(context, state).Change(arguments.change);
    context.charge += state->charge;
    if (!done.has_value()) {
      MongoError error = std::move(done).error();
      if (error.code == static_cast<int32_t>(ErrorCode::kTransactionTooOld))
        return std::unexpected(std::move(error));
      return std::unexpected(
          std::move(error).Prefixed("Plan executor error during findAndModify :: caused by :: "));
    }
    outcome = *std::move(done);
  }
  model::DocumentBuilder reply;
  reply.OpenObject("lastErrorObject");
  AppendCount(reply, "n", outcome.matched);
  if (!arguments.removes)
    reply.AppendBool("updatedExisting", outcome.matched > 0 && !outcome.upserted.has_value());
  if (outcome.upserted.has_value()) reply.Append("upserted", *outcome.upserted);
  reply.Close();
  auto& image = arguments.wants_new ? outcome.after : outcome.before;
  if (!image.has_value()) {
    reply.Append("value", model::Value::Null());
  } else if (arguments.projection != nullptr) {
    MONGO_ASSIGN(const model::Document projected,
                 arguments.projection->Apply(Row{.document = *std::move(image)}));
    reply.AppendDocument("value", projected);
  } else {
    reply.AppendDocument("value", *image);
  }
  if (!outcome.retried.empty()) reply.AppendInt32("retriedStmtId", numbers.front());
  return reply;
}

}  // namespace

std::vector<CommandEntry> WriteCommands() {
  const auto write = [](std::string_view name, CommandHandler handler, CommandStarter starter) {
    return CommandEntry{.name = name,
                        .action = Action::kWrite,
                        .handler = handler,
                        .starter = starter,
                        .is_write = true};
  };
  return {write("insert", Insert, StartInsert), write("update", UpdateCommand, StartUpdate),
          write("delete", DeleteCommand, StartDelete),
          write("findAndModify", FindAndModify, nullptr),
          write("findandmodify", FindAndModify, nullptr)};
}

}  // namespace orrery::mongo
