// getMore and killCursors.
#include <fmt/format.h>

#include "api/mongo/command/awaited_batch.h"
#include "api/mongo/command/command_table.h"
#include "api/mongo/command/cursor_reply.h"
#include "api/mongo/command/fields.h"
#include "api/mongo/command/transaction/mongo_transaction.h"
#include "api/mongo/error/error_map.h"

namespace orrery::mongo {
namespace {

std::unexpected<MongoError> CursorNotFound(int64_t id) {
  return Refuse(ErrorCode::kCursorNotFound, fmt::format("cursor id {} not found", id));
}

// Says whether the user or the session is another one.
std::unexpected<MongoError> ForeignCursor(const CommandContext& context, int64_t id) {
  for (const query::CursorInfo& info : context.services.cursors.List()) {
    if (info.id.value() != id) continue;
    const std::string user = context.client->owner() + '\n';
    if (!info.owner.starts_with(user)) break;
    const std::string begin = fmt::format("Cannot run getMore on cursor {}, which was ", id);
    std::string session = info.owner.substr(user.size());
    std::string transaction;
    if (session.size() > kSessionBytes) {
      transaction = session.substr(0, session.size() - kSessionBytes);
      session.erase(0, transaction.size());
    }
    if (session == context.session) {
      if (context.transaction == nullptr) {
        return Refuse(50739, fmt::format("{}created in a transaction, without a txnNumber", begin));
      }
      if (transaction.empty()) {
        return Refuse(50740, fmt::format("{}not created in a transaction, in transaction {}", begin,
                                         context.transaction->number()));
      }
      return Refuse(50741, fmt::format("{}created in another transaction, in transaction {}", begin,
                                       context.transaction->number()));
    }
    if (session.empty()) {
      return Refuse(50736, fmt::format("{}not created in a session, in session {}", begin,
                                       SessionText(context.session)));
    }
    if (context.session.empty()) {
      return Refuse(50737, fmt::format("{}created in session {}, without an lsid", begin,
                                       SessionText(session)));
    }
    return Refuse(50738, fmt::format("{}created in session {}, in session {}", begin,
                                     SessionText(session), SessionText(context.session)));
  }
  return Refuse(ErrorCode::kUnauthorized,
                fmt::format("cursor id {} was not created by the authenticated user", id));
}

CommandReply GetMore(CommandContext& context) {
  const Fields fields(context.body(), "getMore");
  MONGO_TRY(fields.CheckKnown({"collection", "batchSize", "term", "lastKnownCommittedOpTime"}));
  const model::ElementView target = context.command.target();
  if (target.kind() != model::Kind::kInt64) {
    return Refuse(ErrorCode::kTypeMismatch,
                  fmt::format("BSON field 'getMore.getMore' is the wrong type '{}', expected type "
                              "'long'",
                              TypeNameOf(target)));
  }
  const int64_t id = target.AsInteger();
  MONGO_ASSIGN(const std::string collection, fields.RequiredText("collection"));
  MONGO_ASSIGN(const std::optional<int64_t> batch_size, fields.Count("batchSize"));
  auto use = context.services.cursors.CheckOut(query::CursorId(id), CursorOwner(context));
  if (!use.has_value()) {
    switch (use.error()) {
      case query::CursorRefusal::kNotFound:
        return CursorNotFound(id);
      case query::CursorRefusal::kForeign:
        return ForeignCursor(context, id);
      case query::CursorRefusal::kInUse:
        return Refuse(12051, fmt::format("cursor id {} is already in use", id));
    }
  }
  auto& run = static_cast<CursorRun&>(use->run());
  const std::string asked = context.database() + "." + collection;
  if (asked != run.name()) {
    const std::string owned = run.name();
    (void)std::move(*use).Return();
    return Refuse(ErrorCode::kUnauthorized,
                  fmt::format("Requested getMore on namespace '{}', but cursor belongs to a "
                              "different namespace {}",
                              asked, owned));
  }
  const bool may_wait = run.tail() != nullptr && run.tail()->awaits();
  MONGO_ASSIGN(const std::optional<int64_t> wait, fields.Count("maxTimeMS"));
  if (wait.value_or(0) > 0 && !may_wait) {
    (void)std::move(*use).Return();
    return Refuse(ErrorCode::kBadValue,
                  "cannot set maxTimeMS on getMore command for a non-awaitData cursor");
  }
  model::DocumentBuilder reply;
  reply.OpenObject("cursor").OpenArray("nextBatch");
  RunState& state = run.state();
  Attach(state, context);
  // 0 means: as many as fit.
  const uint64_t rows_max =
      batch_size.value_or(0) == 0 ? UINT64_MAX : static_cast<uint64_t>(*batch_size);
  auto filled = run.Fill(reply, rows_max);
  TakeCost(state, context);
  Detach(state);
  if (!filled.has_value()) return std::unexpected(std::move(filled).error());
  reply.Close();
  run.AppendFacts(reply);
  context.use.returned = run.given();
  int64_t left = 0;
  const std::string name = run.name();
  if (*filled && std::move(*use).Return().has_value()) left = id;
  context.use.cursor_id = left;
  reply.AppendInt64("id", left).AppendString("ns", name).Close();
  context.may_stream = left != 0;
  return reply;
}

// Takes a getMore that may wait for rows, on a cursor that has a tail. Whatever is wrong with the
// command is said by its handler.
bool StartGetMore(const std::shared_ptr<CommandContext>& context, CommandDone& done) {
  const model::ElementView target = context->command.target();
  const auto collection = context->body().Find("collection");
  if (target.kind() != model::Kind::kInt64 || !collection.has_value() ||
      collection->kind() != model::Kind::kString)
    return false;
  const Fields fields(context->body(), "getMore");
  if (!fields.CheckKnown({"collection", "batchSize", "term", "lastKnownCommittedOpTime"})
           .has_value() ||
      !fields.Count("batchSize").has_value() || !fields.Count("maxTimeMS").has_value())
    return false;
  auto use = context->services.cursors.CheckOut(query::CursorId(target.AsInteger()),
                                                CursorOwner(*context));
  if (!use.has_value()) return false;
  const auto& run = static_cast<CursorRun&>(use->run());
  const bool is_its_own =
      run.name() == fmt::format("{}.{}", context->database(), collection->AsString());
  if (run.tail() == nullptr || !run.tail()->awaits() || !is_its_own) {
    (void)std::move(*use).Return();
    return false;
  }
  StartAwaitedBatch(context, *std::move(use), std::move(done));
  return true;
}

// A user may end all cursors of their own, of whichever session.
bool KillCursor(const CommandContext& context, int64_t id) {
  query::CursorRegistry& cursors = context.services.cursors;
  if (cursors.Kill(query::CursorId(id), CursorOwner(context)).has_value()) return true;
  const std::string user = context.client->owner() + '\n';
  for (const query::CursorInfo& info : cursors.List()) {
    if (info.id.value() == id && info.owner.starts_with(user))
      return cursors.Kill(info.id, info.owner).has_value();
  }
  return false;
}

CommandReply KillCursors(CommandContext& context) {
  const Fields fields(context.body(), "killCursors");
  MONGO_TRY(fields.CheckKnown({"cursors"}));
  MONGO_TRY(context.command.CollectionOf());
  MONGO_ASSIGN(const std::optional<model::DocumentView> cursors, fields.Array("cursors"));
  if (!cursors.has_value())
    return Refuse(40414, "BSON field 'killCursors.cursors' is missing but a required field");
  std::vector<int64_t> killed;
  std::vector<int64_t> unknown;
  for (const model::ElementView cursor : *cursors) {
    if (cursor.kind() != model::Kind::kInt64) {
      return Refuse(ErrorCode::kTypeMismatch,
                    fmt::format("BSON field 'killCursors.cursors.{}' is the wrong type '{}', "
                                "expected type 'long'",
                                cursor.name(), TypeNameOf(cursor)));
    }
    const int64_t id = cursor.AsInteger();
    const bool done = KillCursor(context, id);
    (done ? killed : unknown).push_back(id);
  }
  model::DocumentBuilder reply;
  const auto list = [&](std::string_view name, const std::vector<int64_t>& ids) {
    reply.OpenArray(name);
    for (size_t i = 0; i < ids.size(); ++i) reply.AppendInt64(std::to_string(i), ids[i]);
    reply.Close();
  };
  list("cursorsKilled", killed);
  list("cursorsNotFound", unknown);
  list("cursorsAlive", {});
  list("cursorsUnknown", {});
  return reply;
}

}  // namespace

std::vector<CommandEntry> CursorCommands() {
  return {
      {.name = "getMore", .action = Action::kLogIn, .handler = GetMore, .starter = StartGetMore},
      {.name = "killCursors", .action = Action::kLogIn, .handler = KillCursors}};
}

}  // namespace orrery::mongo
