// A TransferSource is a live database that data is copied out of, named by a connection string:
//
//   AccountEndpoint=https://..;AccountKey=..;        an account of Azure Cosmos DB's SQL API
//   mongodb://[user:password@]host[:port][/?..]      a MongoDB server
//   cassandra://[user:password@]host[:port][?tls=true]
//
// Plain data.
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "base/status.h"
#include "cli/seed/client/cql_client.h"
#include "cli/seed/client/mongo_client.h"
#include "cli/seed/client/sql_client.h"

namespace orrery::cli {

using TransferSource = std::variant<SqlAddress, MongoAddress, CqlAddress>;

// kInvalidArgument says what the string lacks; never with the key or password.
Result<TransferSource> ParseTransferSource(std::string_view text);

// The source without secrets: "https://host:443", "mongodb://host:27017".
std::string NameOfSource(const TransferSource& source);

}  // namespace orrery::cli
