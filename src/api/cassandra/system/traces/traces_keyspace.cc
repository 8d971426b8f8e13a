#include "api/cassandra/system/traces/traces_keyspace.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "api/cassandra/system/build/keyspace_builder.h"
#include "api/cassandra/system/build/table_builder.h"

namespace orrery::cassandra {
namespace {

constexpr std::string_view kTracesKeyspace = "system_traces";

TableBuilder TraceTable(std::string_view name, std::string_view comment) {
  TableOptions options;
  options.gc_grace_seconds = 0;
  TableBuilder builder(kTracesKeyspace, name, comment);
  builder.Options(std::move(options));
  return builder;
}

std::string_view AsBytes(const Uuid& id) {
  return {reinterpret_cast<const char*>(id.data()), id.size()};
}

// The sessions that the query asks for. Keys that are no uuid are of no session.
std::vector<TraceSession> Wanted(const TraceStore* traces, const VirtualQuery& query) {
  if (traces == nullptr) return {};
  if (!query.partition_keys.has_value()) return traces->All();
  std::vector<TraceSession> sessions;
  std::set<Uuid> seen;
  for (const std::string& key : *query.partition_keys) {
    Uuid id{};
    if (key.size() != id.size()) continue;
    std::ranges::copy(key, id.begin());
    if (!seen.insert(id).second) continue;
    if (auto session = traces->Find(id)) sessions.push_back(*std::move(session));
  }
  return sessions;
}

TablePtr SessionsTable(const TraceStore* traces, const InetEndpoint& coordinator) {
  return TraceTable("sessions", "requests that were traced")
      .PartitionKey({{"session_id", "uuid"}})
      .Regular({{"client", "inet"},
                {"command", "text"},
                {"coordinator", "inet"},
                {"coordinator_port", "int"},
                {"duration", "int"},
                {"parameters", "map<text, text>"},
                {"request", "text"},
                {"started_at", "timestamp"}})
      .Build([traces, coordinator](const VirtualQuery& query, RowSet& rows) -> CqlStatus {
        for (const TraceSession& session : Wanted(traces, query)) {
          RowWriter row = rows.Add();
          row.Bytes("session_id", AsBytes(session.id))
              .Inet("client", session.client)
              .Text("command", session.command)
              .Inet("coordinator", coordinator.address)
              .Int("coordinator_port", coordinator.port)
              .TextMap("parameters", session.parameters)
              .Text("request", session.request)
              .Timestamp("started_at", session.started);
          if (session.duration.has_value()) row.Int("duration", session.duration->count());
        }
        return {};
      });
}

TablePtr EventsTable(const TraceStore* traces, const InetEndpoint& source) {
  return TraceTable("events", "what happened during traced requests")
      .PartitionKey({{"session_id", "uuid"}})
      .Clustering({{"event_id", "timeuuid"}})
      .Regular({{"activity", "text"},
                {"source", "inet"},
                {"source_elapsed", "int"},
                {"source_port", "int"},
                {"thread", "text"}})
      .Build([traces, source](const VirtualQuery& query, RowSet& rows) -> CqlStatus {
        for (const TraceSession& session : Wanted(traces, query)) {
          for (const TraceEvent& event : session.events) {
            rows.Add()
                .Bytes("session_id", AsBytes(session.id))
                .Bytes("event_id", event.id)
                .Text("activity", event.activity)
                .Inet("source", source.address)
                .Int("source_elapsed", event.elapsed.count())
                .Int("source_port", source.port)
                .Text("thread", event.thread);
          }
        }
        return {};
      });
}

}  // namespace

KeyspacePtr MakeTracesKeyspace(const TraceStore* traces, const NodeFacts& self) {
  return MakeSystemKeyspace(
      kTracesKeyspace, KeyspaceNature::kReplicated,
      {SessionsTable(traces, self.internal), EventsTable(traces, self.internal)});
}

}  // namespace orrery::cassandra
