// A SqlClient talks to the SQL API of Azure Cosmos DB, this server's or any other, over HTTP:
// requests signed with an account key, sent again when they are throttled.
//
// Not thread-safe.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "model/document/document.h"
#include "net/http/http_client.h"

namespace orrery::cli {

struct SqlAddress {
  std::string url = "http://127.0.0.1:8081";
  std::string key;
  std::string ca_file{};  // empty: an https server's certificate is not verified
};

class SqlClient {
 public:
  // kInvalidArgument when the URL or the key makes no sense.
  static Result<SqlClient> Create(const SqlAddress& address);

  // `path` alternates types and names: {"dbs", "shop", "colls"} is the list of shop's containers.
  using Path = std::vector<std::string>;
  using Headers = std::vector<std::pair<std::string, std::string>>;
  // The answer, whatever its status is but 429, 449, 503 and 408: these are tried again for a
  // minute.
  Result<net::HttpResponse> Send(std::string_view method, const Path& path, const Headers& headers,
                                 std::string_view body);

 private:
  SqlClient(net::HttpClient client, std::string secret)
      : client_(std::move(client)), secret_(std::move(secret)) {}

  net::HttpClient client_;
  std::string secret_;
};

// The error that an answer is; its message is the service's, on one line.
Error ErrorOfSql(const net::HttpResponse& response);

}  // namespace orrery::cli
