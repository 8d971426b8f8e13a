#include "api/sql/script/host/error_json.h"

#include <fmt/format.h>

#include <string_view>

#include "api/sql/http/failure.h"
#include "model/document/json.h"

namespace orrery::sql {
namespace {

std::string ErrorJson(const Error& error, std::string_view message) {
  std::string out = fmt::format(R"({{"number":{},"message":)", FailureOf(error).status);
  model::AppendJsonString(out, message);
  out += '}';
  return out;
}

}  // namespace

std::string CallErrorJson(const Error& error) { return ErrorJson(error, error.message()); }

std::string OperationErrorJson(const Error& error) {
  std::string message = R"({"Errors":[)";
  model::AppendJsonString(message, error.message());
  message += "]}";
  return ErrorJson(error, message);
}

}  // namespace orrery::sql
