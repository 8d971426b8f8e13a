#include "api/sql/handler/resource/account_handler.h"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "model/value.h"

namespace orrery::sql {
namespace {

using model::Value;

constexpr std::string_view kRegion = "South Central US";
constexpr std::string_view kQueryEngine =
    R"({"maxSqlQueryInputLength":524288,"maxJoinsPerSqlQuery":10,"maxLogicalAndPerSqlQuery":2000,)"
    R"("maxLogicalOrPerSqlQuery":2000,"maxUdfRefPerSqlQuery":10,"maxInExpressionItemsCount":16000,)"
    R"("queryMaxInMemorySortDocumentCount":500,"maxQueryRequestTimeoutFraction":0.9,)"
    R"("sqlAllowNonFiniteNumbers":false,"sqlAllowAggregateFunctions":true,"sqlAllowSubQuery":true,)"
    R"("sqlAllowScalarSubQuery":true,"allowNewKeywords":true,"sqlAllowLike":true,)"
    R"("sqlAllowGroupByClause":true,"maxSpatialQueryCells":12,"spatialMaxGeometryPointCount":4096,)"
    R"("sqlAllowTop":true,"enableSpatialIndexing":true})";

Value Policy(int copies) {
  return Value::Object({{"asyncReplication", Value::Bool(false)},
                        {"minReplicaSetSize", Value::Int32(copies)},
                        {"maxReplicasetSize", Value::Int32(copies)}});
}

Value Locations(const std::string& endpoint) {
  return Value::Array({Value::Object({{"name", Value::String(std::string(kRegion))},
                                      {"databaseAccountEndpoint", Value::String(endpoint)}})});
}

Reply ReadAccount(const std::string& account, const Call& call) {
  const std::string host(call.request.headers.Find("host").value_or("localhost"));
  const std::string endpoint = EndpointOf(call.request) + "/";
  Reply reply = ResourceReply(
      200,
      Value::Object({{"_self", Value::String("")},
                     {"id", Value::String(account)},
                     {"_rid", Value::String(host)},
                     {"media", Value::String("//media/")},
                     {"addresses", Value::String("//addresses/")},
                     {"_dbs", Value::String("//dbs/")},
                     {"writableLocations", Locations(endpoint)},
                     {"readableLocations", Locations(endpoint)},
                     {"enableMultipleWriteLocations", Value::Bool(false)},
                     {"continuousBackupEnabled", Value::Bool(false)},
                     {"enableNRegionSynchronousCommit", Value::Bool(false)},
                     {"userReplicationPolicy", Policy(1)},
                     {"systemReplicationPolicy", Policy(1)},
                     {"userConsistencyPolicy",
                      Value::Object({{"defaultConsistencyLevel", Value::String("Session")}})},
                     {"readPolicy", Value::Object({{"primaryReadCoefficient", Value::Int32(1)},
                                                   {"secondaryReadCoefficient", Value::Int32(1)}})},
                     {"queryEngineConfiguration", Value::String(std::string(kQueryEngine))}}));
  reply.charge = RequestUnits();
  return reply;
}

}  // namespace

void AddAccountHandlers(HandlerTable& table, const HandlerParts& parts) {
  table.Add(ResourceType::kAccount, Action::kRead,
            [account = parts.gateway.accounts().name()](Call call) {
              Answer(call, ReadAccount(account, call));
            });
}

}  // namespace orrery::sql
