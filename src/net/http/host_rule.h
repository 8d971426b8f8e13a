// A HostRule says by which names clients may call a server over HTTP and WebSocket.
//
// A web page can make its own name lead to this machine (DNS rebinding); its requests then have the
// page's name in Host, and the browser lets the page read the answers. A server whose key everybody
// knows refuses such names. Names that no web site can have are always allowed: IP addresses,
// "localhost" and names below it, names without a dot (of containers and hosts nearby), and names
// below "internal", "test" and "cluster.local", which are not given to anybody.
//
// Immutable and thread-safe.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace orrery::net {

class HostRule {
 public:
  // Allows every name.
  HostRule() = default;
  // Allows the names that no web site can have, and these. "*": every name.
  explicit HostRule(std::vector<std::string> names);

  // Returns whether a client that sends this Host header is answered. An empty one is of no
  // browser.
  bool Allows(std::string_view host_header) const;

 private:
  bool allows_all_ = true;
  std::vector<std::string> names_;
};

// Returns the name or address in a Host header, or in the part of an URL behind "://", without its
// port and brackets.
std::string_view HostOf(std::string_view host_header);

// Returns whether an Origin header names the same host as a Host header, on whichever port.
bool IsSameOrigin(std::string_view origin, std::string_view host_header);

}  // namespace orrery::net
