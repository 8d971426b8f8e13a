// SeedEndpoints are where the APIs of the server are that is loaded into, and how to log in.
//
// Plain data.
#pragma once

#include <optional>
#include <string>

#include "cli/seed/client/cql_client.h"
#include "cli/seed/client/mongo_client.h"
#include "cli/seed/client/sql_client.h"

namespace orrery::cli {

struct SeedEndpoints {
  SqlAddress sql;
  std::string account;  // the key is that of `sql`
  // An absent address is a closed port.
  std::optional<CqlAddress> cassandra;
  std::optional<MongoAddress> mongo;
  std::optional<std::string> table_url;
  std::optional<std::string> gremlin_url;  // of the port with credentials
};

}  // namespace orrery::cli
