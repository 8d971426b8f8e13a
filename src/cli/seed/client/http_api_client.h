// Clients of the two APIs beside the SQL API that speak HTTP: Azure tables, and Gremlin in its HTTP
// form. Throttled requests are sent again for a minute.
//
// Not thread-safe.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"
#include "net/http/http_client.h"

namespace orrery::cli {

class TableClient {
 public:
  // `key` is the account's, as text.
  static Result<TableClient> Create(std::string_view url, std::string key);

  // kAlreadyExists when it is there. `throughput` 0: none of its own.
  Status CreateTable(std::string_view name, int64_t throughput);
  // Writes an entity, whatever was there. `json` has its properties.
  Status Put(std::string_view table, std::string_view partition_key, std::string_view row_key,
             const std::string& json);

 private:
  TableClient(net::HttpClient client, std::string key)
      : client_(std::move(client)), key_(std::move(key)) {}

  Status Send(std::string_view method, const std::string& target, const std::string& body,
              int64_t throughput);

  net::HttpClient client_;
  std::string key_;
};

class GraphClient {
 public:
  static Result<GraphClient> Create(std::string_view url, std::string_view database,
                                    std::string_view graph, std::string_view key);

  // Runs one traversal to its end and forgets what it gives.
  Status Run(std::string_view traversal);

 private:
  GraphClient(net::HttpClient client, std::string login)
      : client_(std::move(client)), login_(std::move(login)) {}

  net::HttpClient client_;
  std::string login_;
};

}  // namespace orrery::cli
