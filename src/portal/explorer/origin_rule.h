// An OriginRule refuses requests that a web page of somebody else has made a browser send.
//
// Browsers say so in two headers: Origin, which must be this server's own scheme, host and port,
// and Sec-Fetch-Site, which must be "same-origin", or "none" for what the user has asked for
// directly. Pages of other ports of localhost count as the same site, so cookies alone would not
// keep them out. Clients that are no browsers send neither.
//
// Immutable and thread-safe.
#pragma once

#include <string>

#include "base/status.h"
#include "net/http/http_message.h"

namespace orrery::portal {

class OriginRule {
 public:
  // `origin`: what browsers see of this server behind a reverse proxy, as "https://db.example".
  // Empty: the scheme and the Host of each request.
  explicit OriginRule(std::string origin) : origin_(std::move(origin)) {}

  // kForbidden for a request of another origin.
  Status Check(const net::HttpRequest& request) const;
  // Returns whether browsers reach the server over TLS.
  bool IsSecure(const net::HttpRequest& request) const;
  // The origin that browsers see: "http://localhost:8081".
  std::string OriginOf(const net::HttpRequest& request) const;

 private:
  const std::string origin_;
};

}  // namespace orrery::portal
