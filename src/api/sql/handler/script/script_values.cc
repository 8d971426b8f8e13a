#include "api/sql/handler/script/script_values.h"

#include <string>

namespace orrery::sql {

model::Fields ScriptValuesOf(const net::HttpHeaders& headers) {
  model::Fields values;
  for (size_t i = 0; i < headers.size(); ++i) {
    if (net::EqualsIgnoringCase(headers.name(i), "authorization") ||
        net::EqualsIgnoringCase(headers.name(i), "cookie"))
      continue;
    values.push_back(
        {std::string(headers.name(i)), model::Value::String(std::string(headers.value(i)))});
  }
  return values;
}

}  // namespace orrery::sql
