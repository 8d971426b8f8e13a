#include "portal/explorer/door.h"

#include <string_view>

#include "net/http/host_rule.h"

namespace orrery::portal {
namespace {

constexpr std::string_view kBearer = "Bearer ";
constexpr std::string_view kPageHeader = "x-orrery-explorer";

bool WasPassedOn(const net::HttpRequest& request) {
  for (const std::string_view name :
       {"forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto",
        "x-forwarded-port", "x-forwarded-prefix", "x-forwarded-server", "x-real-ip"}) {
    if (request.headers.Find(name).has_value()) return true;
  }
  return false;
}

// The peer's address without its port.
std::string_view AddressOf(const net::HttpRequest& request) { return net::HostOf(request.peer); }

bool IsThisMachine(std::string_view address) {
  return address.starts_with("127.") || address == "::1" || address.starts_with("::ffff:127.");
}

}  // namespace

Status Door::CheckTls(const net::HttpRequest& request) const {
  if (!options_.require_tls || request.tls) return {};
  return Fail(Code::kForbidden, "this server takes keys over TLS only; use https://");
}

Status Door::Admit(const net::HttpRequest& request, Guard guard) const {
  if (guard == Guard::kOpen) return {};
  ORRERY_TRY(CheckTls(request));
  if (guard == Guard::kOpenLocal && options_.trust_local) return {};
  ORRERY_ASSIGN(const gateway::Access access, AccessOf(request));
  if (guard == Guard::kWrite && access == gateway::Access::kReadOnly) {
    return Fail(Code::kForbidden, "this key may only read; use a read-write key");
  }
  return {};
}

Result<gateway::Access> Door::AccessOf(const net::HttpRequest& request,
                                       std::optional<int64_t>* session_expires_ms) const {
  const auto header = request.headers.Find("authorization");
  if (header.has_value() && header->starts_with(kBearer))
    return accounts_.CheckKey(header->substr(kBearer.size()));
  if (const std::string_view value = SessionOf(request); !header.has_value() && !value.empty()) {
    ORRERY_ASSIGN(const Session session, cookies_.Check(value));
    if (session_expires_ms != nullptr) *session_expires_ms = session.expires_ms;
    return session.access;
  }
  return Fail(Code::kUnauthorized,
              "a key is needed: send the header 'Authorization: Bearer <account key>'");
}

std::string_view Door::SessionOf(const net::HttpRequest& request) const {
  if (request.headers.Find(kPageHeader) != "1") return {};
  return CookieOf(request, SessionCookieName(request, origin_.IsSecure(request)));
}

bool Door::TrustsLocally(const net::HttpRequest& request) const {
  return options_.trust_local && options_.only_loopback && options_.origin.empty() &&
         IsThisMachine(AddressOf(request)) && !WasPassedOn(request);
}

Result<std::string> Door::LogIn(const net::HttpRequest& request, std::string_view key) {
  ORRERY_TRY(CheckTls(request));
  if (key.empty()) {
    if (TrustsLocally(request)) return cookies_.Make(accounts_.primary_key());
    return Fail(Code::kUnauthorized, "a key of the account is needed to log in");
  }
  const std::string_view address = AddressOf(request);
  const Micros now = clock_.Monotonic();
  if (const auto wait = limit_.WaitOf(address, now); wait.has_value()) {
    const auto wait_ms = std::chrono::ceil<std::chrono::milliseconds>(*wait);
    return Fail(Error::Throttled("too many wrong keys came from this address; try again later",
                                 static_cast<uint32_t>(wait_ms.count())));
  }
  auto value = cookies_.Make(key);
  if (!value.has_value()) limit_.NoteWrong(address, now);
  return value;
}

void Door::LogOut(const net::HttpRequest& request) { cookies_.End(SessionOf(request)); }

std::string Door::SetCookie(const net::HttpRequest& request, std::string_view value) const {
  const bool is_secure = origin_.IsSecure(request);
  return SetSessionCookie(SessionCookieName(request, is_secure), value, is_secure);
}

}  // namespace orrery::portal
