// A Door decides who may use the portal: by a key, by the session of a browser, or because the
// server trusts its own machine; and it turns away the web pages of others.
//
// A session's cookie counts only together with the header X-Orrery-Explorer: 1, which a page of
// another origin cannot send.
//
// Thread-safe. What is given must outlive it.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/status.h"
#include "gateway/account/accounts.h"
#include "net/http/http_message.h"
#include "portal/explorer/login_limit.h"
#include "portal/explorer/origin_rule.h"
#include "portal/explorer/session_cookies.h"
#include "portal/router.h"

namespace orrery::portal {

struct DoorOptions {
  bool trust_local = true;    // routes that are Guard::kOpenLocal need no key
  bool require_tls = false;   // keys and sessions that come in the clear are refused
  bool only_loopback = true;  // no other machine reaches any listener
  std::string origin;         // that browsers see behind a reverse proxy; empty: the Host's
};

class Door {
 public:
  Door(DoorOptions options, const gateway::Accounts& accounts, const Clock& clock,
       std::function<uint64_t()> random)
      : options_(std::move(options)),
        accounts_(accounts),
        clock_(clock),
        origin_(options_.origin),
        cookies_(accounts, clock, std::move(random)) {}

  const OriginRule& origin() const { return origin_; }

  // Checks that the request may use a route of this guard: kUnauthorized, kForbidden.
  Status Admit(const net::HttpRequest& request, Guard guard) const;
  // Returns what the caller may do; kUnauthorized for nobody. `session_expires_ms`, if not null, is
  // set when a session says so.
  Result<gateway::Access> AccessOf(const net::HttpRequest& request,
                                   std::optional<int64_t>* session_expires_ms = nullptr) const;

  // Returns whether the page of this browser needs no key: only this machine reaches the server,
  // which trusts it, and nobody has passed the request on.
  bool TrustsLocally(const net::HttpRequest& request) const;

  // Logs in with a key, or, without one, a browser that is trusted. Returns the cookie's value.
  // kUnauthorized for a wrong key, kThrottled after too many.
  Result<std::string> LogIn(const net::HttpRequest& request, std::string_view key);
  // kUnauthorized for a value that is not, or no longer, a session's.
  Result<Session> CheckSession(std::string_view value) const { return cookies_.Check(value); }
  // Ends the request's session, if it has one.
  void LogOut(const net::HttpRequest& request);
  // Returns the value of Set-Cookie for this cookie; an empty one takes it away.
  std::string SetCookie(const net::HttpRequest& request, std::string_view value) const;

 private:
  Status CheckTls(const net::HttpRequest& request) const;
  std::string_view SessionOf(const net::HttpRequest& request) const;

  const DoorOptions options_;
  const gateway::Accounts& accounts_;
  const Clock& clock_;
  const OriginRule origin_;
  SessionCookies cookies_;
  LoginLimit limit_;
};

}  // namespace orrery::portal
