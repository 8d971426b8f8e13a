#include "server/foreign_ready_lines.h"

#include <fmt/format.h>

#include "net/http/url.h"

namespace orrery::server {

std::string ForeignReadyLines(const Endpoints& endpoints) {
  std::string lines;
  if (endpoints.has_cassandra()) lines += "Startup complete\n";  // Apache Cassandra
  if (endpoints.has_mongo()) lines += "Waiting for connections\n";
  if (endpoints.table_storage != 0) {
    lines += fmt::format("Azurite Table service is successfully listening at http://{}\n",
                         net::FormatHostPort({endpoints.host, endpoints.table_storage}));
  }
  // Cosmos DB's emulators: the newer one, and the older one with its line end.
  lines += fmt::format("Now listening on: {}\n", endpoints.SqlUrl());
  return lines + "Started\r\n";
}

}  // namespace orrery::server
