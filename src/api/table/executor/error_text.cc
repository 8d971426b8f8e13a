#include "api/table/executor/error_text.h"

#include <fmt/format.h>

#include "api/table/entity/etag.h"
#include "model/document/json.h"

namespace orrery::table {

std::string ErrorText(std::string_view message, std::string_view request_id, Micros now) {
  return fmt::format("{}\nRequestId:{}\nTime:{}", message, request_id, FormatTimestamp(now));
}

std::string ErrorJson(ErrorCode code, std::string_view text) {
  std::string json = R"({"odata.error":{"code":)";
  model::AppendJsonString(json, FactsOf(code).name);
  json += R"(,"message":{"lang":"en-US","value":)";
  model::AppendJsonString(json, text);
  json += "}}}";
  return json;
}

std::string_view PreferenceText(Preference preference) {
  switch (preference) {
    case Preference::kContent:
      return "return-content";
    case Preference::kNoContent:
      return "return-no-content";
    case Preference::kNone:
      break;
  }
  return {};
}

}  // namespace orrery::table
