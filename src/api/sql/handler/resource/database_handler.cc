#include "api/sql/handler/resource/database_handler.h"

#include <utility>
#include <vector>

#include "api/sql/container/database_form.h"
#include "api/sql/handler/finder.h"
#include "api/sql/handler/list_page.h"
#include "api/sql/offer/auto_upgrade.h"

namespace orrery::sql {
namespace {

using enum ResourceType;

class Databases {
 public:
  explicit Databases(const HandlerParts& parts) : parts_(parts) {}

  SqlResult<Reply> Create(const Call& call) const {
    SQL_ASSIGN(const model::Document body, BodyOf(call));
    SQL_ASSIGN(std::string id, DatabaseIdFrom(body));
    model::Document extra = NewDatabaseExtra(parts_.clock.Now());
    if (call.headers.autoscale_increment.has_value())
      extra = WithIncrement(std::move(extra), *call.headers.autoscale_increment);
    SQL_ASSIGN(const gateway::DatabaseEntry created,
               parts_.gateway.catalog().CreateDatabase(std::move(id), call.headers.throughput,
                                                       std::move(extra)));
    return ResourceReply(201, SeenDatabase(created));
  }

  SqlResult<Reply> Read(const Call& call) const {
    SQL_ASSIGN(const gateway::DatabaseRef found,
               Finder(parts_.gateway.catalog()).Database(call.path));
    return ResourceReply(200, SeenDatabase(*found));
  }

  SqlResult<Reply> Delete(const Call& call) const {
    SQL_ASSIGN(const gateway::DatabaseRef found,
               Finder(parts_.gateway.catalog()).Database(call.path));
    SQL_TRY(CheckIfMatch(call, SeenDatabase(*found)));
    SQL_TRY(parts_.gateway.catalog().DropDatabase(found->name));
    return Reply{.status = 204};
  }

  SqlResult<Reply> List(const Call& call) const {
    return ListPage("", "Databases", All(), call.headers);
  }

  SqlResult<Reply> Query(const Call& call) const {
    SQL_ASSIGN(const model::Document body, BodyOf(call));
    SQL_ASSIGN(const QueryText query, QueryTextFrom(body));
    SQL_ASSIGN(const auto rows, parts_.queries.Run(query, All()));
    return FeedReply("", "Databases", rows);
  }

 private:
  std::vector<model::Value> All() const {
    std::vector<model::Value> seen;
    for (const auto& database : parts_.gateway.catalog().snapshot()->ListDatabases())
      seen.push_back(SeenDatabase(*database));
    return seen;
  }

  const HandlerParts parts_;
};

}  // namespace

void AddDatabaseHandlers(HandlerTable& table, const HandlerParts& parts) {
  const Databases databases(parts);
  const auto add = [&](Action action, SqlResult<Reply> (Databases::*method)(const Call&) const) {
    table.AddBlocking(parts.gateway.io_pool(), kDatabase, action,
                      [=](const Call& call) { return (databases.*method)(call); });
  };
  add(Action::kCreate, &Databases::Create);
  add(Action::kRead, &Databases::Read);
  add(Action::kDelete, &Databases::Delete);
  add(Action::kReadFeed, &Databases::List);
  add(Action::kQuery, &Databases::Query);
}

}  // namespace orrery::sql
