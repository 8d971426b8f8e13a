// bulkWrite: writes of all kinds to several collections in one command.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "api/mongo/command/access/demands.h"
#include "api/mongo/command/command_table.h"
#include "api/mongo/command/cursor_reply.h"
#include "api/mongo/command/fields.h"
#include "api/mongo/command/session/session_arguments.h"
#include "api/mongo/command/write_arguments.h"
#include "api/mongo/command/write_reply.h"

namespace orrery::mongo {
namespace {

enum class BulkKind : uint8_t { kInsert, kUpdate, kDelete };

struct BulkOperation {
  BulkKind kind = BulkKind::kInsert;
  size_t collection = 0;  // its place in nsInfo
  model::DocumentView arguments;
};

// A collection of nsInfo.
struct BulkCollection {
  Namespace name;
  CollectionPtr collection = nullptr;  // null: there is none yet
};

struct BulkArguments {
  std::vector<BulkOperation> operations;
  std::vector<BulkCollection> collections;
  std::vector<int32_t> numbers;  // of the operations' statements
  WriteOptions options;
  bool errors_only = false;
};

Answer<BulkOperation> ReadBulkOperation(model::DocumentView operation, size_t collections) {
  static constexpr std::pair<std::string_view, BulkKind> kKinds[] = {
      {"insert", BulkKind::kInsert}, {"update", BulkKind::kUpdate}, {"delete", BulkKind::kDelete}};
  if (!operation.empty()) {
    const model::ElementView first = *operation.begin();
    for (const auto& [name, kind] : kKinds) {
      if (first.name() != name) continue;
      const auto place = AsWhole(first);
      if (!place.has_value()) {
        return Refuse(ErrorCode::kTypeMismatch,
                      fmt::format("BSON field 'bulkWrite.ops.{}' is the wrong type '{}', expected "
                                  "types '[long, int, decimal, double]'",
                                  name, TypeNameOf(first)));
      }
      if (*place < 0 || static_cast<size_t>(*place) >= collections) {
        return Refuse(ErrorCode::kBadValue,
                      fmt::format("BulkWrite ops entry has an invalid nsInfo index: {}", *place));
      }
      return BulkOperation{kind, static_cast<size_t>(*place), operation};
    }
  }
  return Refuse(ErrorCode::kFailedToParse,
                fmt::format("Unrecognized operation in bulkWrite: '{}'; the first field must be "
                            "insert, update or delete",
                            operation.empty() ? "" : (*operation.begin()).name()));
}

Answer<std::vector<BulkCollection>> ReadBulkCollections(const CommandContext& context) {
  MONGO_ASSIGN(const std::vector<model::DocumentView> infos,
               context.command.Documents("nsInfo", "bulkWrite"));
  std::vector<BulkCollection> collections;
  for (const model::DocumentView info : infos) {
    const Fields fields(info, "bulkWrite.nsInfo", Fields::Of::kPart);
    MONGO_TRY(fields.CheckKnown({"ns", "collectionUUID", "encryptionInformation"}));
    MONGO_ASSIGN(const std::string text, fields.RequiredText("ns"));
    MONGO_ASSIGN(Namespace name, ParseNamespace(text));
    MONGO_TRY(CheckCollectionName(name));
    if (std::ranges::find(collections, name, &BulkCollection::name) != collections.end()) {
      return Refuse(ErrorCode::kInvalidOptions,
                    fmt::format("Duplicate nsInfo entry in bulkWrite: {}", text));
    }
    MONGO_TRY(CheckMayWrite(context.services, *context.client, name));
    collections.push_back({.name = std::move(name)});
  }
  return collections;
}

Answer<BulkArguments> ReadBulkWrite(const CommandContext& context) {
  const Fields fields(context.body(), "bulkWrite");
  MONGO_TRY(fields.CheckKnown(
      {"ops", "nsInfo", "ordered", "bypassDocumentValidation", "let", "errorsOnly", "cursor"}));
  BulkArguments arguments;
  MONGO_ASSIGN(const std::vector<model::DocumentView> operations,
               context.command.Documents("ops", "bulkWrite"));
  MONGO_TRY(CheckBatchSize(operations.size()));
  MONGO_ASSIGN(arguments.options, ReadWriteOptions(fields));
  MONGO_ASSIGN(arguments.errors_only, fields.Flag("errorsOnly"));
  MONGO_ASSIGN(arguments.collections, ReadBulkCollections(context));
  for (const model::DocumentView operation : operations) {
    MONGO_ASSIGN(const BulkOperation read,
                 ReadBulkOperation(operation, arguments.collections.size()));
    arguments.operations.push_back(read);
  }
  MONGO_ASSIGN(arguments.numbers, StatementNumbers(context.body(), operations.size()));
  return arguments;
}

// An update or deletion in the form that those commands have.
Answer<model::Document> StatementOfBulk(const BulkOperation& operation) {
  const bool is_update = operation.kind == BulkKind::kUpdate;
  const Fields fields(operation.arguments, is_update ? "bulkWrite.update" : "bulkWrite.delete");
  if (is_update) {
    MONGO_TRY(fields.CheckKnown({"filter", "updateMods", "arrayFilters", "multi", "hint",
                                 "constants", "collation", "upsert", "upsertSupplied"}));
  } else {
    MONGO_TRY(fields.CheckKnown({"filter", "multi", "hint", "collation"}));
  }
  MONGO_ASSIGN(const model::DocumentView filter, fields.RequiredObject("filter"));
  MONGO_ASSIGN(const bool multi, fields.Flag("multi"));
  model::DocumentBuilder statement;
  statement.AppendDocument("q", filter);
  if (is_update) {
    const auto update = operation.arguments.Find("updateMods");
    if (!update.has_value())
      return Refuse(40414,
                    "BSON field 'bulkWrite.update.updateMods' is missing but a required "
                    "field");
    statement.Append("u", *update).AppendBool("multi", multi);
  } else {
    statement.AppendInt32("limit", multi ? 0 : 1);
  }
  for (const model::ElementView field : operation.arguments) {
    const std::string_view name = field.name();
    if (name == "constants") {
      statement.Append("c", field);
    } else if (name == "arrayFilters" || name == "hint" || name == "collation" ||
               name == "upsert") {
      statement.Append(name, field);
    }
  }
  return std::move(statement).Finish();
}

// A BulkRun carries out the operations of one command, and gathers what they have done.
class BulkRun {
 public:
  BulkRun(CommandContext& context, BulkArguments arguments)
      : context_(context),
        arguments_(std::move(arguments)),
        state_(std::make_shared<RunState>()),
        writer_(WriterOf(context, state_)) {}

  CommandReply Run() {
    for (size_t at = 0; at < arguments_.operations.size();) {
      if (Outcome wanted = state_->Check(); !wanted.has_value())
        return std::unexpected(std::move(wanted).error());
      const size_t end = EndOfInserts(at);
      if (end > at) {
        Insert(at, end);
      } else {
        Change(at);
      }
      at = std::max(end, at + 1);
      if (command_error_.has_value()) {
        context_.charge += state_->charge;
        return std::unexpected(*std::move(command_error_));
      }
      if (arguments_.options.is_ordered && errors_ > 0) break;
    }
    context_.charge += state_->charge;
    context_.has_write_errors = errors_ > 0;
    MONGO_ASSIGN(model::DocumentBuilder reply,
                 KnownBatch(context_, "admin.$cmd.bulkWrite", std::move(rows_)));
    AppendCount(reply, "nErrors", errors_);
    AppendCount(reply, "nInserted", inserted_);
    AppendCount(reply, "nMatched", matched_);
    AppendCount(reply, "nModified", modified_);
    AppendCount(reply, "nUpserted", upserted_);
    AppendCount(reply, "nDeleted", deleted_);
    std::ranges::sort(retried_);
    AppendRetried(reply, retried_);
    return reply;
  }

 private:
  // The end of the inserts into one collection that begin at `at`; `at` if it is none.
  size_t EndOfInserts(size_t at) const {
    size_t end = at;
    const BulkOperation& first = arguments_.operations[at];
    while (end < arguments_.operations.size() &&
           arguments_.operations[end].kind == BulkKind::kInsert &&
           arguments_.operations[end].collection == first.collection)
      ++end;
    return end;
  }

  // Looks for the collection, and makes it if it is `needed`.
  Answer<CollectionPtr> CollectionFor(const BulkOperation& operation, bool needed) {
    BulkCollection& entry = arguments_.collections[operation.collection];
    if (entry.collection == nullptr) {
      MONGO_TRY(context_.services.collections.RefuseView(entry.name));
      entry.collection = context_.services.collections.Find(entry.name);
    }
    if (entry.collection == nullptr && needed) {
      MONGO_ASSIGN(entry.collection, context_.services.collections.FindOrCreate(entry.name));
    }
    return entry.collection;
  }

  void Insert(size_t begin, size_t end) {
    std::vector<model::DocumentView> documents;
    std::vector<size_t> places;  // among the operations
    std::vector<std::pair<size_t, MongoError>> failed;
    for (size_t at = begin; at < end; ++at) {
      auto document = DocumentOf(arguments_.operations[at]);
      if (document.has_value()) {
        documents.push_back(*document);
        places.push_back(at);
        continue;
      }
      failed.emplace_back(at, std::move(document).error());
      if (arguments_.options.is_ordered) break;
    }
    WriteOutcome outcome;
    if (!documents.empty()) {
      auto done = InsertAll(begin, documents, places);
      if (done.has_value()) {
        outcome = *std::move(done);
      } else if (EndsCommand(context_, done.error())) {
        command_error_ = std::move(done).error();
        return;
      } else {
        // Nothing says which of them are there: the first that was not answered has the error.
        outcome.failures.push_back({0, std::move(done).error()});
        if (!arguments_.options.is_ordered) {
          for (size_t i = 1; i < places.size(); ++i)
            outcome.failures.push_back({i, outcome.failures.front().error});
        }
      }
    }
    for (WriteOutcome::Failure& failure : outcome.failures)
      failed.emplace_back(places[failure.number], std::move(failure.error));
    for (const size_t number : outcome.retried)
      retried_.push_back(arguments_.numbers[places[number]]);
    inserted_ += outcome.matched;
    std::ranges::sort(failed, {}, &std::pair<size_t, MongoError>::first);
    auto next = failed.begin();
    for (size_t at = begin; at < end; ++at) {
      if (next != failed.end() && next->first == at) {
        AddError(at, next->second);
        ++next;
        if (arguments_.options.is_ordered || command_error_.has_value()) return;
      } else {
        AddRow(at, 1, std::nullopt, std::nullopt);
      }
    }
  }

  static Answer<model::DocumentView> DocumentOf(const BulkOperation& operation) {
    const Fields fields(operation.arguments, "bulkWrite.insert");
    MONGO_TRY(fields.CheckKnown({"document"}));
    return fields.RequiredObject("document");
  }

  Answer<WriteOutcome> InsertAll(size_t begin, const std::vector<model::DocumentView>& documents,
                                 const std::vector<size_t>& places) {
    MONGO_ASSIGN(const CollectionPtr collection, CollectionFor(arguments_.operations[begin], true));
    MONGO_TRY(MayWriteInTransaction(context_, *collection, /*removes=*/false));
    InsertRequest request{.collection = collection,
                          .documents = documents,
                          .is_ordered = arguments_.options.is_ordered,
                          .validates = arguments_.options.validates,
                          .retry = context_.retry,
                          .statement_numbers = {}};
    for (const size_t place : places)
      request.statement_numbers.push_back(arguments_.numbers[place]);
    return writer_.Insert(request);
  }

  void Change(size_t at) {
    const bool is_update = arguments_.operations[at].kind == BulkKind::kUpdate;
    auto done = ChangeOne(at);
    if (!done.has_value()) return AddError(at, done.error());
    if (!done->retried.empty()) retried_.push_back(arguments_.numbers[at]);
    const bool is_upsert = done->upserted.has_value();
    if (is_upsert) ++upserted_;
    if (is_update) {
      matched_ += is_upsert ? done->matched - 1 : done->matched;
      modified_ += done->modified;
    } else {
      deleted_ += done->matched;
    }
    if (!done->failures.empty()) return AddError(at, done->failures.front().error);
    AddRow(at, done->matched, is_update ? std::optional(done->modified) : std::nullopt,
           std::move(done->upserted));
  }

  Answer<WriteOutcome> ChangeOne(size_t at) {
    const BulkOperation& operation = arguments_.operations[at];
    MONGO_ASSIGN(const model::Document statement, StatementOfBulk(operation));
    MONGO_ASSIGN(CollectionPtr collection, CollectionFor(operation, false));
    MONGO_ASSIGN(ChangeRequest request,
                 operation.kind == BulkKind::kUpdate
                     ? ReadUpdate(context_, collection, statement, arguments_.options)
                     : ReadDelete(context_, collection, statement, arguments_.options));
    if (context_.retry.has_value() && request.multi) {
      return Refuse(ErrorCode::kInvalidOptions, "Cannot use retryable writes with multi=true");
    }
    if (collection == nullptr && request.upserts) {
      MONGO_ASSIGN(collection, CollectionFor(operation, true));
      request.collection = collection;
    }
    if (collection == nullptr) return WriteOutcome();
    MONGO_TRY(MayWriteInTransaction(context_, *collection, operation.kind != BulkKind::kUpdate));
    request.retry = context_.retry;
    request.statement_number = arguments_.numbers[at];
    return writer_.Change(request);
  }

  void AddRow(size_t at, int64_t n, std::optional<int64_t> modified,
              std::optional<model::Value> upserted) {
    if (arguments_.errors_only) return;
    model::DocumentBuilder row;
    row.AppendDouble("ok", 1);
    AppendCount(row, "idx", static_cast<int64_t>(at));
    AppendCount(row, "n", n);
    if (modified.has_value()) AppendCount(row, "nModified", *modified);
    if (upserted.has_value()) row.OpenObject("upserted").Append("_id", *upserted).Close();
    rows_.push_back(std::move(row).Finish());
  }

  void AddError(size_t at, const MongoError& error) {
    if (EndsCommand(context_, error)) {
      command_error_ = error;
      return;
    }
    ++errors_;
    model::DocumentBuilder row;
    row.AppendDouble("ok", 0);
    AppendCount(row, "idx", static_cast<int64_t>(at));
    row.AppendInt32("code", error.code);
    AppendDetails(row, error);
    row.AppendString("errmsg", error.message).AppendInt32("n", 0);
    if (arguments_.operations[at].kind == BulkKind::kUpdate) row.AppendInt32("nModified", 0);
    rows_.push_back(std::move(row).Finish());
  }

  CommandContext& context_;
  BulkArguments arguments_;
  const std::shared_ptr<RunState> state_;
  CollectionWriter writer_;
  std::vector<model::Document> rows_;
  std::optional<MongoError> command_error_;
  std::vector<int32_t> retried_;
  int64_t errors_ = 0;
  int64_t inserted_ = 0;
  int64_t matched_ = 0;
  int64_t modified_ = 0;
  int64_t upserted_ = 0;
  int64_t deleted_ = 0;
};

CommandReply BulkWrite(CommandContext& context) {
  MONGO_ASSIGN(BulkArguments arguments, ReadBulkWrite(context));
  return BulkRun(context, std::move(arguments)).Run();
}

}  // namespace

std::vector<CommandEntry> BulkWriteCommands() {
  return {{.name = "bulkWrite",
           .action = Action::kLogIn,
           .handler = BulkWrite,
           .admin_only = true,
           .is_write = true}};
}

}  // namespace orrery::mongo
