// Finds the handler of a request by method and path.
//
// Patterns are paths whose segments are words or {parameters}: "/_admin/v1/databases/{database}".
// A path that is known under other methods answers 405 with Allow, an unknown one 404.
//
// Filled at start, then read by any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "net/http/http_message.h"
#include "net/http/http_responder.h"

namespace orrery::portal {

// What a caller must show to use a route.
enum class Guard : uint8_t {
  kOpen,       // nothing
  kOpenLocal,  // nothing while the server trusts its own machine (--auth=local), else kRead
  kRead,       // any of the account's keys
  kWrite,      // a read-write key
};

// One request on its way through a handler, which answers it through `responder`.
struct Call {
  net::HttpRequest request;
  std::vector<std::string> parameters;  // the pattern's, in order, decoded
  net::HttpResponder responder;
};

using Handler = std::function<void(Call)>;

class Router {
 public:
  // REQUIRES: `pattern` begins with '/'. The first of two patterns that fit wins.
  void Add(std::string_view method, std::string_view pattern, Guard guard, Handler handler);

  struct Route {
    std::string method;
    std::vector<std::string> segments;
    Guard guard;
    Handler handler;
  };
  struct Match {
    const Route* route = nullptr;  // null when nothing fits
    std::vector<std::string> parameters;
    std::vector<std::string>
        allowed;  // methods that the path has, when the asked one is not among them
  };
  // HEAD is answered by GET's handler.
  Match Find(const net::HttpRequest& request) const;

 private:
  std::vector<Route> routes_;
};

}  // namespace orrery::portal
