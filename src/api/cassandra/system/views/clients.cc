// system_views.clients.
#include <optional>
#include <string>

#include "api/cassandra/system/views/views_tables.h"
#include "api/cassandra/types/native/inet.h"

namespace orrery::cassandra {
namespace {

std::string_view StageName(ClientFacts::Stage stage) {
  switch (stage) {
    case ClientFacts::Stage::kEstablished:
      return "established";
    case ClientFacts::Stage::kAuthenticating:
      return "authenticating";
    case ClientFacts::Stage::kReady:
      return "ready";
  }
  return "";
}

std::optional<std::string> Option(const ClientFacts& client, const std::string& name) {
  const auto found = client.options.find(name);
  if (found == client.options.end()) return std::nullopt;
  return found->second;
}

void AddClient(const ClientFacts& client, RowSet& rows) {
  const auto address = client.address.address.bytes();
  rows.Add()
      .Inet("address", client.address.address)
      .Int("port", client.address.port)
      // The address again: a table must not wait for a name server.
      .Text("hostname", InetText(std::string(address.begin(), address.end())))
      .OptionalText("username", client.user)
      .Text("connection_stage", StageName(client.stage))
      .Int("protocol_version", client.protocol_version)
      .TextMap("client_options", client.options)
      .OptionalText("driver_name", Option(client, "DRIVER_NAME"))
      .OptionalText("driver_version", Option(client, "DRIVER_VERSION"))
      .Bigint("request_count", client.requests)
      .Boolean("ssl_enabled", client.tls_protocol.has_value())
      .OptionalText("ssl_protocol", client.tls_protocol)
      .OptionalText("ssl_cipher_suite", client.tls_cipher_suite);
}

}  // namespace

TablePtr ClientsTable(const ClientLister* clients) {
  return ViewTable("clients", "clients that are connected now")
      .PartitionKey({{"address", "inet"}})
      .Clustering({{"port", "int"}})
      .Regular({{"client_options", "frozen<map<text, text>>"},
                {"connection_stage", "text"},
                {"driver_name", "text"},
                {"driver_version", "text"},
                {"hostname", "text"},
                {"protocol_version", "int"},
                {"request_count", "bigint"},
                {"ssl_cipher_suite", "text"},
                {"ssl_enabled", "boolean"},
                {"ssl_protocol", "text"},
                {"username", "text"}})
      .Build([clients](const VirtualQuery&, RowSet& rows) -> CqlStatus {
        if (clients == nullptr) return {};
        for (const ClientFacts& client : clients->ConnectedClients()) AddClient(client, rows);
        return {};
      });
}

}  // namespace orrery::cassandra
