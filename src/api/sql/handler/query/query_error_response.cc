#include "api/sql/handler/query/query_error_response.h"

#include <fmt/format.h>

#include "model/document/json.h"

namespace orrery::sql {

ErrorResponse ErrorResponseOf(const QueryFailure& failure) {
  if (const auto* error = std::get_if<Error>(&failure)) return *error;
  const auto& wrong = std::get<QueryError>(failure);
  std::string text;
  model::AppendJsonString(text, wrong.message);
  return Failure{.status = 400,
                 .message = fmt::format(
                     R"({{"errors":[{{"severity":"Error","location":{{"start":{},"end":{}}},)"
                     R"("code":"{}","message":{}}}]}})",
                     wrong.start, wrong.end, wrong.code, text)};
}

}  // namespace orrery::sql
