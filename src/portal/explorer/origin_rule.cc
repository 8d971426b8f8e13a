#include "portal/explorer/origin_rule.h"

#include <fmt/format.h>

#include <string_view>

namespace orrery::portal {
namespace {

constexpr std::string_view kSecureScheme = "https://";

bool IsPageRequest(const net::HttpRequest& request) {
  const bool reads = request.method == "GET" || request.method == "HEAD";
  return reads && !request.path.starts_with("/_admin/");
}

}  // namespace

std::string OriginRule::OriginOf(const net::HttpRequest& request) const {
  if (!origin_.empty()) return origin_;
  return fmt::format("{}://{}", request.tls ? "https" : "http",
                     request.headers.Find("host").value_or(""));
}

bool OriginRule::IsSecure(const net::HttpRequest& request) const {
  return origin_.empty() ? request.tls : origin_.starts_with(kSecureScheme);
}

Status OriginRule::Check(const net::HttpRequest& request) const {
  const auto origin = request.headers.Find("origin");
  if (origin.has_value() && !net::EqualsIgnoringCase(*origin, OriginOf(request))) {
    return Fail(Code::kForbidden,
                fmt::format("a web page of {} may not use this server; behind a reverse proxy, "
                            "give the server --explorer-origin",
                            *origin));
  }
  const auto site = request.headers.Find("sec-fetch-site");
  if (!site.has_value() || *site == "same-origin" || (*site == "none" && IsPageRequest(request)))
    return {};
  return Fail(Code::kForbidden, "a web page of another origin may not use this server");
}

}  // namespace orrery::portal
