#include "server/request_classifier.h"

#include <algorithm>
#include <string>

namespace orrery::server {

bool IsForSqlApi(const net::HttpRequest& request) {
  // Clients that join an endpoint and a path with one slash too many ask for "//dbs".
  const auto first = std::ranges::find_if(
      request.segments, [](const std::string& segment) { return !segment.empty(); });
  if (first != request.segments.end())
    return *first == "dbs" || *first == "offers" || *first == "addresses";
  return request.headers.Find("x-ms-version").has_value() ||
         request.headers.Find("authorization").value_or("").starts_with("type");
}

}  // namespace orrery::server
