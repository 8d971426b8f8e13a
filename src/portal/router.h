// The routes of the portal: what a caller must show to use one, and who answers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "net/http/dispatch/http_call.h"
#include "net/http/dispatch/path_router.h"

namespace orrery::portal {

// The credentials that a caller needs to use a route.
enum class Guard : uint8_t {
  kOpen,       // nothing
  kOpenLocal,  // nothing while the server trusts its own machine (--auth=local), else kRead
  kRead,       // any of the account's keys
  kWrite,      // a read-write key
};

struct Call : net::HttpCall {
  std::vector<std::string> parameters;  // the pattern's, in order, decoded
};
using Handler = net::CallHandler<Call>;

struct Route {
  Guard guard;
  Handler handler;
};
using Router = net::PathRouter<Route>;

}  // namespace orrery::portal
