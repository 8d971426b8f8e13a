// currentOp, killOp, top and dbHash.
#include <fmt/format.h>
#include <openssl/evp.h>

#include <algorithm>
#include <map>
#include <memory>

#include "api/mongo/command/command_table.h"
#include "api/mongo/command/fields.h"
#include "api/mongo/command/operation/operation_counters.h"
#include "api/mongo/command/operation/operation_registry.h"
#include "api/mongo/command/operation/operation_rows.h"
#include "api/mongo/command/query_arguments.h"
#include "api/mongo/command/write_reply.h"
#include "api/mongo/executor/read/find.h"
#include "base/check.h"

namespace orrery::mongo {
namespace {

// Fields beside the options are conditions on the rows.
CommandReply CurrentOp(CommandContext& context) {
  model::DocumentBuilder conditions;
  bool own_only = false;
  bool is_name = true;
  for (const model::ElementView field : context.body()) {
    const std::string_view name = field.name();
    if (std::exchange(is_name, false)) continue;
    if (name == "$ownOps") {
      own_only = AsFlag(field).value_or(false);
    } else if (name != "$all" && name != "$truncateOps" && name != "$db" && name != "lsid" &&
               name != "comment" && name != "maxTimeMS" && name != "$readPreference" &&
               name != "$clusterTime" && name != "apiVersion" && name != "apiStrict" &&
               name != "apiDeprecationErrors") {
      conditions.Append(name, field);
    }
  }
  if (!own_only) MONGO_TRY(CheckMay(context, Action::kMonitor, "admin"));
  const Fields fields(context.body(), "currentOp");
  MONGO_ASSIGN(const QueryContextPtr query, ContextOf(context, fields, nullptr));
  const model::Document filter = std::move(conditions).Finish();
  MONGO_ASSIGN(const MatcherPtr matcher, FilterOf(filter, query));
  model::DocumentBuilder reply;
  reply.OpenArray("inprog");
  size_t count = 0;
  for (const model::Document& row : OperationRows(context, own_only)) {
    if (matcher != nullptr) {
      MONGO_ASSIGN(const bool wanted, matcher->Matches(row));
      if (!wanted) continue;
    }
    reply.AppendDocument(std::to_string(count++), row);
  }
  reply.Close();
  return reply;
}

CommandReply KillOp(CommandContext& context) {
  const auto op = context.body().Find("op");
  if (!op.has_value()) return Refuse(4, "Missing expected field \"op\"");
  const auto id = AsWhole(*op);
  if (!id.has_value()) {
    return Refuse(
        ErrorCode::kTypeMismatch,
        fmt::format("Expected field \"op\" to have numeric type, but found {}", TypeNameOf(*op)));
  }
  // Everybody may kill what is their own.
  const bool may_kill_all = CheckMay(context, Action::kManage, "admin").has_value();
  const std::string owner = context.client->owner();
  bool is_foreign = false;
  context.services.operations.KillIf([&](const Operation& operation) {
    if (operation.id != *id) return false;
    is_foreign = !may_kill_all && operation.context->owner != owner;
    return !is_foreign;
  });
  if (is_foreign || (!may_kill_all && owner.empty())) {
    return Refuse(ErrorCode::kUnauthorized, "not authorized on admin to execute command killOp");
  }
  model::DocumentBuilder reply;
  reply.AppendString("info", "attempting to kill op");
  return reply;
}

CommandReply Top(CommandContext& context) {
  static constexpr std::pair<std::string_view, OperationKind> kParts[] = {
      {"queries", OperationKind::kQuery}, {"getmore", OperationKind::kGetMore},
      {"insert", OperationKind::kInsert}, {"update", OperationKind::kUpdate},
      {"remove", OperationKind::kDelete}, {"commands", OperationKind::kCommand}};
  model::DocumentBuilder reply;
  reply.OpenObject("totals").AppendString("note", "all times in microseconds");
  const auto append = [&](std::string_view name, const OperationCounters::Use& use) {
    reply.OpenObject(name).AppendInt64("time", use.micros).AppendInt64("count", use.count).Close();
  };
  for (const auto& [name, uses] : context.services.counters.Collections()) {
    OperationCounters::Use total;
    OperationCounters::Use reads;
    OperationCounters::Use writes;
    for (size_t i = 0; i < kOperationKinds; ++i) {
      const auto kind = static_cast<OperationKind>(i);
      const bool reads_only = kind == OperationKind::kQuery || kind == OperationKind::kGetMore;
      OperationCounters::Use* const side = reads_only                        ? &reads
                                           : kind == OperationKind::kCommand ? nullptr
                                                                             : &writes;
      total.micros += uses[i].micros;
      total.count += uses[i].count;
      if (side == nullptr) continue;
      side->micros += uses[i].micros;
      side->count += uses[i].count;
    }
    reply.OpenObject(name);
    append("total", total);
    append("readLock", reads);
    append("writeLock", writes);
    for (const auto& [part, kind] : kParts) append(part, uses[static_cast<size_t>(kind)]);
    reply.Close();
  }
  reply.Close();
  return reply;
}

// A hash of many pieces, as hexadecimal digits.
class Md5 {
 public:
  Md5() : context_(EVP_MD_CTX_new(), EVP_MD_CTX_free) {
    ORRERY_CHECK(EVP_DigestInit_ex(context_.get(), EVP_md5(), nullptr) == 1);
  }
  void Add(std::string_view bytes) {
    ORRERY_CHECK(EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size()) == 1);
  }
  std::string Finish() {
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned size = 0;
    ORRERY_CHECK(EVP_DigestFinal_ex(context_.get(), digest, &size) == 1);
    std::string hex;
    for (unsigned i = 0; i < size; ++i) hex += fmt::format("{:02x}", digest[i]);
    return hex;
  }

 private:
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context_;
};

// The hash of a collection's documents in the order of `_id`.
Answer<std::string> HashOf(CommandContext& context, const CollectionPtr& collection,
                           const std::shared_ptr<RunState>& state) {
  FindRequest find{
      .collection = collection, .context = std::make_shared<QueryContext>(), .filter = nullptr};
  model::DocumentBuilder by_id;
  by_id.AppendInt32("_id", 1);
  const model::Document pattern = std::move(by_id).Finish();
  MONGO_ASSIGN(find.sort, SortPattern::Parse(pattern));
  const std::unique_ptr<RowSource> rows =
      OpenFind(context.services.gateway, std::move(find), state);
  Md5 hash;
  while (true) {
    MONGO_ASSIGN(const std::optional<Row> row, rows->Next());
    if (!row.has_value()) return hash.Finish();
    hash.Add(row->document.bson());
  }
}

CommandReply DbHash(CommandContext& context) {
  const Fields fields(context.body(), "dbHash");
  MONGO_TRY(fields.CheckKnown({"collections", "skipTempCollections"}));
  MONGO_ASSIGN(const auto list, fields.Array("collections"));
  std::vector<std::string> wanted;
  if (list.has_value()) {
    for (const model::ElementView name : *list) {
      if (name.kind() != model::Kind::kString)
        return Refuse(ErrorCode::kBadValue, "collections entries have to be strings");
      wanted.emplace_back(name.AsString());
    }
  }
  const Micros begin = context.services.clock.Monotonic();
  auto state = std::make_shared<RunState>();
  Attach(*state, context);
  std::map<std::string, std::pair<std::string, model::Value>> hashes;
  for (const CollectionPtr& collection :
       context.services.collections.ListCollections(context.database())) {
    const std::string& name = collection->name.collection;
    if (!wanted.empty() && std::ranges::find(wanted, name) == wanted.end()) continue;
    auto hash = HashOf(context, collection, state);
    context.charge += std::exchange(state->charge, {});
    if (!hash.has_value()) return std::unexpected(std::move(hash).error());
    hashes.emplace(name, std::pair(*std::move(hash), collection->uuid));
  }
  model::DocumentBuilder reply;
  reply.AppendString("host", HostAndPort(context)).OpenObject("collections");
  Md5 all;
  for (const auto& [name, entry] : hashes) {
    reply.AppendString(name, entry.first);
    all.Add(entry.first);
  }
  reply.Close().OpenArray("capped").Close().OpenObject("uuids");
  for (const auto& [name, entry] : hashes) reply.Append(name, entry.second);
  reply.Close().AppendString("md5", all.Finish());
  AppendCount(reply, "timeMillis",
              std::chrono::duration_cast<std::chrono::milliseconds>(
                  context.services.clock.Monotonic() - begin)
                  .count());
  return reply;
}

}  // namespace

std::vector<CommandEntry> OperationCommands() {
  return {{.name = "currentOp", .action = Action::kLogIn, .handler = CurrentOp, .admin_only = true},
          {.name = "killOp",
           .action = Action::kLogIn,
           .handler = KillOp,
           .on_loop = true,
           .admin_only = true},
          {.name = "top", .action = Action::kMonitor, .handler = Top, .admin_only = true},
          {.name = "dbHash", .action = Action::kRead, .handler = DbHash},
          {.name = "dbhash", .action = Action::kRead, .handler = DbHash}};
}

}  // namespace orrery::mongo
