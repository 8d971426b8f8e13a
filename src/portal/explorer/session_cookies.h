// A session cookie stands for a key in a browser, which never keeps the key itself.
//
//   value := expires:digits "." nonce:hex*32 "." seal:hex*64
//     expires  milliseconds since 1970
//     seal     HMAC-SHA256 of all before it, under a key derived from the account key
//
// So every node of a cluster takes it, and changing the account's key ends it. Only its name, which
// has the server's port, tells the cookies of several servers on one host apart.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/mutex.h"
#include "base/status.h"
#include "gateway/account/accounts.h"
#include "net/http/http_message.h"

namespace orrery::portal {

struct Session {
  gateway::Access access = gateway::Access::kReadOnly;
  int64_t expires_ms = 0;
};

// SessionCookies makes and checks them. Thread-safe. What is given must outlive it.
class SessionCookies {
 public:
  static constexpr std::chrono::seconds kLifetime{43'200};
  // Sessions that were ended before their time, which are remembered.
  static constexpr size_t kEndedMax = 4'096;

  SessionCookies(const gateway::Accounts& accounts, const Clock& clock,
                 std::function<uint64_t()> random)
      : accounts_(accounts), clock_(clock), random_(std::move(random)) {}

  // The value of a new session of whoever has this key. kUnauthorized for a key that is none.
  Result<std::string> Make(std::string_view key) const;
  // kUnauthorized for a value that is not from here, or has expired or was ended.
  Result<Session> Check(std::string_view value) const EXCLUDES(mutex_);
  // From now on this node does not take the value any more.
  void End(std::string_view value) EXCLUDES(mutex_);

 private:
  const gateway::Accounts& accounts_;
  const Clock& clock_;
  const std::function<uint64_t()> random_;

  mutable Mutex mutex_;
  std::deque<std::string> ended_ GUARDED_BY(mutex_);
};

// Returns the name of the cookie that a request may bring.
std::string SessionCookieName(const net::HttpRequest& request, bool is_secure);
// Returns the value of the request's cookie of that name; empty: there is none.
std::string_view CookieOf(const net::HttpRequest& request, std::string_view name);
// Returns the value of Set-Cookie. An empty `value` takes the cookie away.
std::string SetSessionCookie(std::string_view name, std::string_view value, bool is_secure);

}  // namespace orrery::portal
