#include "portal/explorer/explorer_handler.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "net/compression/gzip.h"
#include "portal/answer.h"
#include "portal/json/field_reader.h"
#include "portal/json/json_writer.h"

namespace orrery::portal {
namespace {

constexpr std::string_view kPlainSuffix = "-plain\"";
constexpr size_t kAssetBytesMax = 16 << 20;
constexpr std::string_view kImmutable = "public, max-age=31536000, immutable";
constexpr std::string_view kNoPage =
    "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Orrery</title>"
    "<p>This server was built without the explorer's page; the admin interface and the "
    "<code>orrery</code> command show the same facts.</p></html>\n";

// Returns whether the client takes gzip: "gzip, br;q=0.5" says so, "gzip;q=0" does not.
bool TakesGzip(const net::HttpRequest& request) {
  std::string_view rest = request.headers.Find("accept-encoding").value_or("");
  while (!rest.empty()) {
    const std::string_view coding = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(rest.size(), coding.size() + 1));
    const size_t first = coding.find_first_not_of(" \t");
    if (first == std::string_view::npos) continue;
    const size_t end = coding.find_first_of(" \t;", first);
    const std::string_view name = coding.substr(first, end - first);
    if (!net::EqualsIgnoringCase(name, "gzip") && name != "*") continue;
    const size_t quality = coding.find("q=");
    if (quality == std::string_view::npos) return true;
    return coding.substr(quality + 2).find_first_of("123456789") != std::string_view::npos;
  }
  return false;
}

bool HasEtag(std::string_view list, std::string_view etag) {
  while (!list.empty()) {
    std::string_view each = list.substr(0, list.find(','));
    list.remove_prefix(std::min(list.size(), each.size() + 1));
    while (each.starts_with(' ')) each.remove_prefix(1);
    while (each.ends_with(' ')) each.remove_suffix(1);
    // If-None-Match compares weakly: proxies that compress make tags weak.
    if (each.starts_with("W/")) each.remove_prefix(2);
    if (each == etag || each == "*") return true;
  }
  return false;
}

Outcome Asset(const net::HttpRequest& request, const ExplorerAsset& asset) {
  const bool gzip = TakesGzip(request);
  std::string etag(asset.etag);
  if (!gzip && etag.ends_with('"')) etag.replace(etag.size() - 1, 1, kPlainSuffix);
  net::HttpResponse response;
  response.headers.Add("ETag", etag);
  response.headers.Add("Vary", "Accept-Encoding");
  response.headers.Add("Cache-Control", asset.is_immutable ? kImmutable : "no-cache");
  if (HasEtag(request.headers.Find("if-none-match").value_or(""), etag)) {
    response.status = 304;
    return response;
  }
  response.headers.Add("Content-Type", asset.type);
  if (gzip) {
    response.headers.Add("Content-Encoding", "gzip");
    response.body = asset.gzip;
  } else {
    ORRERY_ASSIGN(response.body, net::UnpackGzip(asset.gzip, kAssetBytesMax));
  }
  return response;
}

Outcome NoPage() {
  net::HttpResponse response;
  response.headers.Add("Content-Type", "text/html; charset=utf-8");
  response.headers.Add("Cache-Control", "no-cache");
  response.body = kNoPage;
  return response;
}

Outcome Redirect() {
  net::HttpResponse response;
  response.status = 308;
  // Relative: a proxy may serve all this below another path.
  response.headers.Add("Location", "_explorer/");
  return response;
}

class SessionRoutes {
 public:
  explicit SessionRoutes(ExplorerParts parts) : parts_(std::move(parts)) {}

  Outcome Get(const Call& call) const {
    std::optional<int64_t> expires_ms;
    const auto access = parts_.door.AccessOf(call.request, &expires_ms);
    return Describe(call.request, access.has_value() ? std::optional(*access) : std::nullopt,
                    expires_ms);
  }

  Outcome LogIn(const Call& call) const {
    ORRERY_ASSIGN(const model::Document body, JsonBody(call.request));
    FieldReader fields(body);
    const std::string key = fields.String("key").value_or("");
    ORRERY_TRY(fields.Finish());
    ORRERY_ASSIGN(const std::string value, parts_.door.LogIn(call.request, key));
    ORRERY_ASSIGN(const Session session, parts_.door.CheckSession(value));
    ORRERY_ASSIGN(net::HttpResponse response,
                  Describe(call.request, session.access, session.expires_ms));
    response.headers.Add("Set-Cookie", parts_.door.SetCookie(call.request, value));
    return response;
  }

  Outcome LogOut(const Call& call) const {
    parts_.door.LogOut(call.request);
    net::HttpResponse response;
    response.status = 204;
    response.headers.Add("Set-Cookie", parts_.door.SetCookie(call.request, ""));
    return response;
  }

 private:
  Outcome Describe(const net::HttpRequest& request, std::optional<gateway::Access> access,
                   std::optional<int64_t> expires_ms) const {
    JsonWriter json;
    json.BeginObject()
        .Field("access", !access.has_value()                      ? "none"
                         : *access == gateway::Access::kReadWrite ? "readWrite"
                                                                  : "readOnly")
        .Field("trustLocal", parts_.door.TrustsLocally(request))
        .Field("tls", parts_.door.origin().IsSecure(request));
    if (expires_ms.has_value()) json.Field("expires", *expires_ms);
    json.Field("account", parts_.account).Field("version", parts_.version).EndObject();
    net::HttpResponse response = net::HttpResponse::Json(200, std::move(json).Finish());
    response.headers.Add("Cache-Control", "no-store");
    return response;
  }

  const ExplorerParts parts_;
};

}  // namespace

void AddExplorerRoutes(Router& router, ExplorerParts parts) {
  const ExplorerAssets assets = parts.assets;
  const auto add_page = [&](auto page) {
    // The router does not tell the folder from the word, which must lead to the folder.
    router.Add("GET", "/_explorer", Guard::kOpen, [page](Call call) {
      const bool is_folder = call.request.path.ends_with('/');
      Outcome outcome = is_folder ? page(call.request) : Redirect();
      Answer(call, std::move(outcome));
    });
  };
  if (assets.empty()) add_page([](const net::HttpRequest&) { return NoPage(); });
  for (const ExplorerAsset& asset : assets) {
    const auto serve = [asset](const net::HttpRequest& request) { return Asset(request, asset); };
    if (asset.path.empty()) {
      add_page(serve);
      // The name that Cosmos DB's emulator has for it.
      router.Add("GET", "/_explorer/index.html", Guard::kOpen,
                 [serve](Call call) { Answer(call, serve(call.request)); });
    } else {
      router.Add("GET", fmt::format("/_explorer/{}", asset.path), Guard::kOpen,
                 [serve](Call call) { Answer(call, serve(call.request)); });
    }
  }
  using Method = Outcome (SessionRoutes::*)(const Call&) const;
  const auto routes = std::make_shared<const SessionRoutes>(std::move(parts));
  const auto add = [&](std::string_view verb, Method method) {
    router.Add(verb, "/_explorer/session", Guard::kOpen,
               [=](Call call) { Answer(call, (*routes.*method)(call)); });
  };
  add("GET", &SessionRoutes::Get);
  add("POST", &SessionRoutes::LogIn);
  add("DELETE", &SessionRoutes::LogOut);
}

}  // namespace orrery::portal
