#include "portal/explorer/session_cookies.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/bytes.h"

namespace orrery::portal {
namespace {

int64_t NowMs(const Clock& clock) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(clock.Now()).count();
}

std::unexpected<Error> NoSession() {
  return Fail(Code::kUnauthorized, "the session is over: log in again");
}

}  // namespace

Result<std::string> SessionCookies::Make(std::string_view key) const {
  const int64_t expires = NowMs(clock_) + std::chrono::milliseconds(kLifetime).count();
  std::string value = fmt::format("{}.{:016x}{:016x}", expires, random_(), random_());
  ORRERY_ASSIGN(const std::string seal, accounts_.Seal(key, value));
  return value + "." + ToHex(seal);
}

Result<Session> SessionCookies::Check(std::string_view value) const {
  const size_t dot = value.rfind('.');
  if (dot == std::string_view::npos) return NoSession();
  const std::string_view text = value.substr(0, dot);
  const auto access = accounts_.CheckSeal(text, value.substr(dot + 1));
  if (!access.has_value()) return NoSession();
  Session session{.access = *access};
  const std::string_view expires = text.substr(0, text.find('.'));
  std::from_chars(expires.data(), expires.data() + expires.size(), session.expires_ms);
  if (session.expires_ms <= NowMs(clock_)) return NoSession();
  const MutexLock lock(mutex_);
  if (std::ranges::find(ended_, text) != ended_.end()) return NoSession();
  return session;
}

void SessionCookies::End(std::string_view value) {
  // Only what was made here takes room.
  if (!Check(value).has_value()) return;
  const MutexLock lock(mutex_);
  if (ended_.size() == kEndedMax) ended_.pop_front();
  ended_.emplace_back(value.substr(0, value.rfind('.')));
}

std::string SessionCookieName(const net::HttpRequest& request, bool is_secure) {
  const std::string_view host = request.headers.Find("host").value_or("");
  const size_t colon = host.rfind(':');
  std::string_view port = is_secure ? "443" : "80";
  if (colon != std::string_view::npos && host.find(']', colon) == std::string_view::npos) {
    const std::string_view digits = host.substr(colon + 1);
    const bool is_number =
        !digits.empty() && std::ranges::all_of(digits, [](char c) { return c >= '0' && c <= '9'; });
    if (is_number && digits.size() <= 5) port = digits;
  }
  return fmt::format("{}orrery-{}", is_secure ? "__Host-" : "", port);
}

std::string_view CookieOf(const net::HttpRequest& request, std::string_view name) {
  for (size_t i = 0; i < request.headers.size(); ++i) {
    if (!net::EqualsIgnoringCase(request.headers.name(i), "cookie")) continue;
    std::string_view rest = request.headers.value(i);
    while (!rest.empty()) {
      std::string_view pair = rest.substr(0, rest.find(';'));
      rest.remove_prefix(std::min(rest.size(), pair.size() + 1));
      while (pair.starts_with(' ')) pair.remove_prefix(1);
      if (pair.starts_with(name) && pair.substr(name.size()).starts_with('='))
        return pair.substr(name.size() + 1);
    }
  }
  return {};
}

std::string SetSessionCookie(std::string_view name, std::string_view value, bool is_secure) {
  return fmt::format("{}={}; HttpOnly; SameSite=Strict; Path=/; Max-Age={}{}", name, value,
                     value.empty() ? 0 : SessionCookies::kLifetime.count(),
                     is_secure ? "; Secure" : "");
}

}  // namespace orrery::portal
