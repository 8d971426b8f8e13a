#include "net/websocket/websocket_handshake.h"

#include <openssl/evp.h>
#include <openssl/sha.h>

#include <algorithm>
#include <array>

#include "net/http/header_list.h"

namespace orrery::net {
namespace {

constexpr std::string_view kVersion = "13";
constexpr std::string_view kGuid = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
// Of one request, over all of its Sec-WebSocket-Protocol fields.
constexpr size_t kSubprotocolsMax = 64;

// Calls `use` with each element of the lists in all fields of that name.
template <typename Use>
void ForEachInLists(const HttpHeaders& headers, std::string_view name, Use use) {
  for (size_t i = 0; i < headers.size(); ++i) {
    if (EqualsIgnoringCase(headers.name(i), name)) ForEachInList(headers.value(i), use);
  }
}

bool ListsHave(const HttpHeaders& headers, std::string_view name, std::string_view token) {
  bool found = false;
  ForEachInLists(headers, name, [&](std::string_view element) {
    found = found || EqualsIgnoringCase(element, token);
  });
  return found;
}

bool IsBase64(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '+' ||
         c == '/';
}

// 16 bytes as base64. The last digit may have any of its unused bits set, as some clients send it.
bool IsKey(std::string_view key) {
  return key.size() == 24 && key.ends_with("==") &&
         std::ranges::all_of(key.substr(0, 22), IsBase64);
}

std::unexpected<HttpResponse> RefuseOffer(int status, std::string_view code,
                                          std::string_view message) {
  HttpResponse response = HttpResponse::JsonError(status, code, message);
  response.close = true;
  return std::unexpected(std::move(response));
}

std::unexpected<HttpResponse> BadRequest(std::string_view message) {
  return RefuseOffer(400, "BadRequest", message);
}

}  // namespace

bool WantsWebSocket(const HttpRequest& request) {
  return ListsHave(request.headers, "upgrade", "websocket");
}

std::expected<WebSocketOffer, HttpResponse> ReadWebSocketOffer(const HttpRequest& request) {
  const HttpHeaders& headers = request.headers;
  if (request.method != "GET") {
    auto refused = RefuseOffer(405, "MethodNotAllowed", "a WebSocket handshake is a GET");
    refused.error().headers.Add("Allow", "GET");
    return refused;
  }
  if (request.is_http_1_0) return BadRequest("a WebSocket handshake needs HTTP/1.1");
  if (!request.body.empty()) return BadRequest("a WebSocket handshake has no body");
  if (!ListsHave(headers, "connection", "upgrade"))
    return BadRequest("a WebSocket handshake needs the header Connection: Upgrade");
  if (headers.Count("sec-websocket-version") != 1 ||
      headers.Find("sec-websocket-version") != kVersion) {
    auto refused = RefuseOffer(426, "UpgradeRequired", "the WebSocket version spoken here is 13");
    refused.error().headers.Add("Sec-WebSocket-Version", kVersion);
    refused.error().headers.Add("Upgrade", "websocket");
    return refused;
  }
  if (headers.Count("sec-websocket-key") != 1 || !IsKey(*headers.Find("sec-websocket-key")))
    return BadRequest("exactly one Sec-WebSocket-Key of 16 bytes in base64 is needed");
  if (headers.Count("origin") > 1) return BadRequest("there is more than one Origin");

  WebSocketOffer offer;
  offer.key = *headers.Find("sec-websocket-key");
  offer.host = headers.Find("host").value_or("");
  offer.origin = headers.Find("origin").value_or("");
  ForEachInLists(headers, "sec-websocket-protocol",
                 [&](std::string_view name) { offer.subprotocols.emplace_back(name); });
  if (offer.subprotocols.size() > kSubprotocolsMax)
    return BadRequest("there are too many WebSocket subprotocols");
  return offer;
}

std::string_view ChooseSubprotocol(const WebSocketOffer& offer,
                                   std::span<const std::string_view> known) {
  for (const std::string& wanted : offer.subprotocols) {
    const auto found = std::ranges::find(known, wanted);
    if (found != known.end()) return *found;
  }
  return {};
}

HttpResponse WebSocketAcceptance(const WebSocketOffer& offer, std::string_view subprotocol) {
  HttpResponse response{.status = 101};
  response.headers.Add("Upgrade", "websocket");
  response.headers.Add("Sec-WebSocket-Accept", WebSocketAcceptKey(offer.key));
  if (!subprotocol.empty()) response.headers.Add("Sec-WebSocket-Protocol", subprotocol);
  return response;
}

std::string WebSocketAcceptKey(std::string_view key) {
  const std::string text = std::string(key).append(kGuid);
  std::array<unsigned char, SHA_DIGEST_LENGTH> digest;
  SHA1(reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest.data());
  // Four digits for each three bytes begun, and a zero byte.
  std::array<unsigned char, (SHA_DIGEST_LENGTH + 2) / 3 * 4 + 1> base64;
  const int size = EVP_EncodeBlock(base64.data(), digest.data(), digest.size());
  return {reinterpret_cast<const char*>(base64.data()), static_cast<size_t>(size)};
}

}  // namespace orrery::net
