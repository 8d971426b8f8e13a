#include "api/sql/container/database_form.h"

#include <fmt/format.h>

#include <chrono>

#include "api/sql/container/kept_properties.h"
#include "api/sql/document/etag.h"
#include "api/sql/resource/resource_id.h"

namespace orrery::sql {

using model::Value;

Result<std::string> DatabaseIdFrom(model::DocumentView body) {
  const auto id = body.Find("id");
  if (!id.has_value() || id->kind() != model::Kind::kString)
    return Fail(Code::kInvalidArgument, "'id' is required and must be a string");
  return std::string(id->AsString());
}

model::Document NewDatabaseExtra(Micros now) {
  const int64_t seconds = std::chrono::duration_cast<std::chrono::seconds>(now).count();
  return WithKeptProperties(std::nullopt, Value::Object({{"_ts", Value::Int64(seconds)}}));
}

std::string DatabaseRid(DatabaseId id) { return FormatRid(ResourceId::Database(id.value())); }

Value SeenDatabase(const gateway::DatabaseEntry& entry) {
  const std::string rid = DatabaseRid(entry.id);
  const Value kept = KeptProperties(entry.extra);
  const Value* time = kept.Find("_ts");
  return Value::Object({{"id", Value::String(entry.name)},
                        {"_rid", Value::String(rid)},
                        {"_self", Value::String(fmt::format("dbs/{}/", rid))},
                        {"_etag", Value::String(DatabaseEtag(entry))},
                        {"_colls", Value::String("colls/")},
                        {"_users", Value::String("users/")},
                        {"_ts", time == nullptr ? Value::Int64(0) : *time}});
}

std::string DatabaseEtag(const gateway::DatabaseEntry& entry) {
  return FormatEtag(Lsn(entry.id.value()));
}

}  // namespace orrery::sql
