#include "api/table/protocol/request_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>

#include "api/table/protocol/header_text.h"

namespace orrery::table {
namespace {

bool Has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

template <typename Number>
std::optional<Number> NumberFrom(std::string_view text) {
  Number number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

Outcome<MetadataLevel> LevelOf(std::string_view accept) {
  if (Has(accept, "odata=nometadata")) return MetadataLevel::kNone;
  if (Has(accept, "odata=fullmetadata")) return MetadataLevel::kFull;
  const bool is_known = accept.empty() || Has(accept, "json") || Has(accept, "*/*") ||
                        Has(accept, "multipart/mixed") || Has(accept, "application/xml");
  if (Has(accept, "atom") && !Has(accept, "json"))
    return Refuse(ErrorCode::kAtomFormatNotSupported);
  if (!is_known) return Refuse(ErrorCode::kMediaTypeNotSupported);
  return MetadataLevel::kMinimal;
}

Outcome<Preference> PreferenceOf(std::string_view text) {
  if (text.empty()) return Preference::kNone;
  if (net::EqualsIgnoringCase(text, "return-content")) return Preference::kContent;
  if (net::EqualsIgnoringCase(text, "return-no-content")) return Preference::kNoContent;
  return Refuse(ErrorCode::kInvalidHeaderValue,
                "The header Prefer must be return-content or return-no-content.");
}

}  // namespace

Outcome<RequestOptions> ReadOptions(const net::HttpHeaders& headers,
                                    std::optional<std::string_view> format) {
  RequestOptions options;
  const std::string accept = LowerCase(format.value_or(headers.Find("accept").value_or("")));
  options.accepts_xml_errors = !Has(accept, "json");
  TABLE_ASSIGN(options.level, LevelOf(accept));
  TABLE_ASSIGN(options.preference, PreferenceOf(headers.Find("prefer").value_or("")));
  options.if_match = headers.Find("if-match").value_or("");
  if (const auto ttl = headers.Find("x-ms-time-to-live"); ttl.has_value()) {
    options.ttl_s = NumberFrom<int32_t>(*ttl);
    if (!options.ttl_s.has_value() || *options.ttl_s < -1 || *options.ttl_s == 0) {
      return Refuse(ErrorCode::kInvalidHeaderValue,
                    "The header x-ms-time-to-live must be a number of seconds above 0, or -1.");
    }
  }
  return options;
}

Outcome<void> CheckJsonBody(const net::HttpHeaders& headers) {
  const std::string type = LowerCase(headers.Find("content-type").value_or(""));
  if (type.empty() || type.starts_with("application/json")) return {};
  if (Has(type, "atom")) return Refuse(ErrorCode::kAtomFormatNotSupported);
  return Refuse(ErrorCode::kMediaTypeNotSupported);
}

Outcome<std::string> EffectiveMethod(std::string_view method, const net::HttpHeaders& headers) {
  const auto meant = headers.Find("x-http-method");
  if (!meant.has_value()) return std::string(method);
  if (method != "POST") return Refuse(ErrorCode::kXMethodNotUsingPost);
  for (const std::string_view known : {"MERGE", "PATCH", "PUT", "DELETE"})
    if (net::EqualsIgnoringCase(*meant, known)) return std::string(known);
  return Refuse(ErrorCode::kXMethodIncorrectValue);
}

std::vector<std::string> SelectedNames(std::string_view text) {
  std::vector<std::string> names;
  for (const std::string_view name : SplitList(text)) {
    if (name == "*") return {};
    if (!name.empty() && std::ranges::find(names, name) == names.end()) names.emplace_back(name);
  }
  return names;
}

Outcome<std::optional<size_t>> RowLimit(std::optional<std::string_view> text, size_t max) {
  if (!text.has_value() || text->empty()) return std::nullopt;
  const auto number = NumberFrom<uint64_t>(*text);
  if (!number.has_value() || *number > max) {
    return Refuse(ErrorCode::kInvalidInput,
                  fmt::format("One of the request inputs is not valid: $top must be a whole number "
                              "from 0 to {}.",
                              max));
  }
  return std::optional<size_t>(*number);
}

Outcome<bool> IsDescending(std::string_view text) {
  if (Trimmed(text).empty()) return false;
  std::optional<bool> descending;
  for (const std::string_view part : SplitList(text)) {
    const size_t space = part.find(' ');
    const std::string_view name = part.substr(0, space);
    const std::string way =
        space == std::string_view::npos ? "asc" : LowerCase(Trimmed(part.substr(space)));
    const bool is_key = name == "PartitionKey" || name == "RowKey";
    if (!is_key || (way != "asc" && way != "desc") ||
        (descending.has_value() && *descending != (way == "desc"))) {
      return Refuse(ErrorCode::kNotImplemented,
                    "$orderby takes PartitionKey and RowKey, both ascending or both descending.");
    }
    descending = way == "desc";
  }
  return *descending;
}

}  // namespace orrery::table
