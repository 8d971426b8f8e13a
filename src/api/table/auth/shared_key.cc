#include "api/table/auth/shared_key.h"

#include "net/http/http_date.h"

namespace orrery::table {
namespace {

struct SchemeName {
  Authorization::Scheme scheme;
  std::string_view name;
};
constexpr SchemeName kSchemes[] = {{Authorization::Scheme::kSharedKey, "SharedKey"},
                                   {Authorization::Scheme::kSharedKeyLite, "SharedKeyLite"},
                                   {Authorization::Scheme::kBearer, "Bearer"}};

std::string_view DateText(const net::HttpRequest& request) {
  const auto date = request.headers.Find("x-ms-date");
  return date.has_value() ? *date : request.headers.Find("date").value_or("");
}

}  // namespace

std::optional<Authorization> ParseAuthorization(std::string_view header) {
  const size_t space = header.find(' ');
  if (space == std::string_view::npos) return std::nullopt;
  const std::string_view rest = header.substr(space + 1);
  for (const SchemeName& each : kSchemes) {
    if (!net::EqualsIgnoringCase(header.substr(0, space), each.name)) continue;
    if (each.scheme == Authorization::Scheme::kBearer)
      return Authorization{.scheme = each.scheme, .signature = std::string(rest)};
    const size_t colon = rest.find(':');
    if (colon == std::string_view::npos || colon == 0) return std::nullopt;
    return Authorization{.scheme = each.scheme,
                         .account = std::string(rest.substr(0, colon)),
                         .signature = std::string(rest.substr(colon + 1))};
  }
  return std::nullopt;
}

std::optional<Micros> SignedDate(const net::HttpRequest& request) {
  return net::ParseHttpDate(DateText(request));
}

std::string TextToSign(const Authorization& authorization, const net::HttpRequest& request,
                       std::string_view path) {
  std::string text;
  if (authorization.scheme == Authorization::Scheme::kSharedKey) {
    text += request.method;
    for (const std::string_view name : {"content-md5", "content-type"}) {
      text += '\n';
      text += request.headers.Find(name).value_or("");
    }
    text += '\n';
  }
  text += DateText(request);
  text += "\n/";
  text += authorization.account;
  text += path;
  if (const auto comp = request.Query("comp"); comp.has_value()) {
    text += "?comp=";
    text += *comp;
  }
  return text;
}

}  // namespace orrery::table
