#include "server/sql_door.h"

#include <string>

namespace orrery::server {

bool IsForSqlApi(const net::HttpRequest& request) {
  if (!request.segments.empty()) {
    const std::string& first = request.segments.front();
    return first == "dbs" || first == "offers";
  }
  return request.headers.Find("x-ms-version").has_value() ||
         request.headers.Find("authorization").value_or("").starts_with("type");
}

}  // namespace orrery::server
