#include "api/table/executor/cors.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "api/table/executor/service_properties.h"
#include "api/table/protocol/header_text.h"

namespace orrery::table {
namespace {

bool Lists(std::string_view list, std::string_view wanted) {
  return std::ranges::any_of(SplitList(list), [&](std::string_view each) {
    return each == "*" || net::EqualsIgnoringCase(each, wanted);
  });
}

// "x-ms-*" allows all that begin so.
bool AllowsHeader(std::string_view list, std::string_view header) {
  return std::ranges::any_of(SplitList(list), [&](std::string_view each) {
    if (!each.ends_with('*')) return net::EqualsIgnoringCase(each, header);
    each.remove_suffix(1);
    return header.size() >= each.size() &&
           net::EqualsIgnoringCase(header.substr(0, each.size()), each);
  });
}

std::string TextOf(const XmlElement& rule, std::string_view name) {
  return rule.TextOf(name).value_or("");
}

std::optional<XmlElement> RuleFor(const Tables& tables, std::string_view origin,
                                  std::string_view method, std::string_view wanted_headers) {
  const auto database = tables.catalog().snapshot()->Database(kDatabase);
  if (database == nullptr) return std::nullopt;
  const XmlElement properties = KeptProperties(database->extra);
  const XmlElement* const cors = properties.Find("Cors");
  if (cors == nullptr) return std::nullopt;
  for (const XmlElement& rule : cors->children) {
    if (!Lists(TextOf(rule, "AllowedOrigins"), origin) ||
        !Lists(TextOf(rule, "AllowedMethods"), method))
      continue;
    const std::string allowed = TextOf(rule, "AllowedHeaders");
    const bool allows_all = std::ranges::all_of(
        SplitList(wanted_headers),
        [&](std::string_view each) { return each.empty() || AllowsHeader(allowed, each); });
    if (allows_all) return rule;
  }
  return std::nullopt;
}

std::string AllowedOrigin(const XmlElement& rule, std::string_view origin) {
  return TextOf(rule, "AllowedOrigins") == "*" ? "*" : std::string(origin);
}

}  // namespace

Outcome<Reply> Preflight(const Tables& tables, const net::HttpRequest& request) {
  const auto origin = request.headers.Find("origin");
  const auto method = request.headers.Find("access-control-request-method");
  if (!origin.has_value() || !method.has_value()) {
    return Refuse(ErrorCode::kMissingRequiredHeader,
                  "An HTTP header that's mandatory for this request is not specified: Origin, "
                  "Access-Control-Request-Method.");
  }
  const std::string_view headers =
      request.headers.Find("access-control-request-headers").value_or("");
  const auto rule = RuleFor(tables, *origin, *method, headers);
  if (!rule.has_value()) return Refuse(ErrorCode::kCorsPreflightFailure);
  Reply reply{.status = 200};
  reply.headers = {{"Access-Control-Allow-Origin", AllowedOrigin(*rule, *origin)},
                   {"Access-Control-Allow-Methods", std::string(*method)},
                   {"Access-Control-Max-Age", TextOf(*rule, "MaxAgeInSeconds")},
                   {"Access-Control-Allow-Credentials", "true"}};
  if (!headers.empty())
    reply.headers.emplace_back("Access-Control-Allow-Headers", std::string(headers));
  return reply;
}

void AddCorsHeaders(const Tables& tables, const net::HttpRequest& request,
                    net::HttpHeaders& headers) {
  const auto origin = request.headers.Find("origin");
  if (!origin.has_value() || request.method == "OPTIONS") return;
  const auto rule = RuleFor(tables, *origin, request.method, "");
  if (!rule.has_value()) return;
  headers.Add("Access-Control-Allow-Origin", AllowedOrigin(*rule, *origin));
  headers.Add("Access-Control-Expose-Headers", TextOf(*rule, "ExposedHeaders"));
  headers.Add("Access-Control-Allow-Credentials", "true");
  headers.Add("Vary", "Origin");
}

}  // namespace orrery::table
