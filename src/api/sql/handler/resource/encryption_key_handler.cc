#include "api/sql/handler/resource/encryption_key_handler.h"

#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <utility>
#include <vector>

#include "api/sql/container/database_form.h"
#include "api/sql/encryption/encryption_keys.h"
#include "api/sql/handler/finder.h"
#include "api/sql/handler/list_page.h"
#include "base/mutex.h"

namespace orrery::sql {
namespace {

constexpr size_t kKeyStep = 1;
constexpr std::string_view kFeed = "ClientEncryptionKeys";

class Keys {
 public:
  explicit Keys(const HandlerParts& parts) : parts_(parts) {}

  SqlResult<Reply> Create(const Call& call) {
    SQL_ASSIGN(const model::Document body, BodyOf(call));
    SQL_ASSIGN(const EncryptionKey key, EncryptionKeyFrom(body));
    return Change(
        call,
        [&](const gateway::DatabaseEntry& database, EncryptionKeys& keys) -> SqlResult<Reply> {
          SQL_ASSIGN(const EncryptionKey added, keys.Add(key, NowSeconds()));
          return ResourceReply(201, SeenEncryptionKey(database.id, added));
        });
  }

  SqlResult<Reply> Read(const Call& call) {
    SQL_ASSIGN(const auto database, Finder(parts_.gateway.catalog()).Database(call.path));
    EncryptionKeys keys = EncryptionKeys::Of(database->extra);
    SQL_ASSIGN(const EncryptionKey* key, KeyOf(call, database->id, keys));
    return ResourceReply(200, SeenEncryptionKey(database->id, *key));
  }

  SqlResult<Reply> Replace(const Call& call) {
    SQL_ASSIGN(const model::Document body, BodyOf(call));
    SQL_ASSIGN(const EncryptionKey next, EncryptionKeyFrom(body));
    return Change(
        call,
        [&](const gateway::DatabaseEntry& database, EncryptionKeys& keys) -> SqlResult<Reply> {
          SQL_ASSIGN(EncryptionKey * key, KeyOf(call, database.id, keys));
          SQL_TRY(CheckIfMatch(call, SeenEncryptionKey(database.id, *key)));
          SQL_TRY(EncryptionKeys::Replace(*key, next, NowSeconds()));
          return ResourceReply(200, SeenEncryptionKey(database.id, *key));
        });
  }

  SqlResult<Reply> List(const Call& call) {
    SQL_ASSIGN(const auto database, Finder(parts_.gateway.catalog()).Database(call.path));
    return ListPage(DatabaseRid(database->id), kFeed, All(*database), call.headers);
  }

  SqlResult<Reply> Query(const Call& call) {
    SQL_ASSIGN(const auto database, Finder(parts_.gateway.catalog()).Database(call.path));
    SQL_ASSIGN(const model::Document body, BodyOf(call));
    SQL_ASSIGN(const QueryText query, QueryTextFrom(body));
    SQL_ASSIGN(const auto rows, parts_.queries.Run(query, All(*database)));
    return FeedReply(DatabaseRid(database->id), kFeed, rows);
  }

 private:
  int64_t NowSeconds() const {
    return std::chrono::duration_cast<std::chrono::seconds>(parts_.clock.Now()).count();
  }

  static std::vector<model::Value> All(const gateway::DatabaseEntry& database) {
    std::vector<model::Value> seen;
    for (const EncryptionKey& key : EncryptionKeys::Of(database.extra).keys())
      seen.push_back(SeenEncryptionKey(database.id, key));
    return seen;
  }

  static SqlResult<EncryptionKey*> KeyOf(const Call& call, DatabaseId database,
                                         EncryptionKeys& keys) {
    const std::string& id = call.path.steps.at(kKeyStep).id;
    if (EncryptionKey* key = keys.Find(database, id); key != nullptr) return key;
    return Refuse(404,
                  fmt::format("Resource Not Found: there is no client encryption key '{}'", id));
  }

  // One change after the other: each is made to what the last one left, again when somebody else
  // who keeps things with the database was faster.
  template <typename Work>
  SqlResult<Reply> Change(const Call& call, Work work) EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    gateway::Catalog& catalog = parts_.gateway.catalog();
    for (int attempt = 1;; ++attempt) {
      SQL_ASSIGN(const auto database, Finder(catalog).Database(call.path));
      EncryptionKeys keys = EncryptionKeys::Of(database->extra);
      SQL_ASSIGN(Reply reply, work(*database, keys));
      const auto changed =
          catalog.UpdateDatabase(database->name, keys.PutInto(database->extra), database.get());
      if (changed.has_value()) return reply;
      if (changed.error().code() != Code::kPreconditionFailed || attempt == kChangeAttemptsMax)
        return Fail(changed.error());
    }
  }

  const HandlerParts parts_;
  Mutex mutex_;  // held over a whole change
};

}  // namespace

void AddEncryptionKeyHandlers(HandlerTable& table, const HandlerParts& parts) {
  const auto keys = std::make_shared<Keys>(parts);
  const auto add = [&](Action action, SqlResult<Reply> (Keys::*method)(const Call&)) {
    table.AddBlocking(parts.gateway.io_pool(), ResourceType::kClientEncryptionKey, action,
                      [=](const Call& call) { return ((*keys).*method)(call); });
  };
  add(Action::kCreate, &Keys::Create);
  add(Action::kRead, &Keys::Read);
  add(Action::kReplace, &Keys::Replace);
  add(Action::kReadFeed, &Keys::List);
  add(Action::kQuery, &Keys::Query);
}

}  // namespace orrery::sql
