// What a request is called in answers and logs: the client's own id for it, or a new one.
//
// Thread-safe.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "net/http/http_message.h"

namespace orrery::sql {

class ActivityIds {
 public:
  // Servers with different seeds give different ids.
  explicit ActivityIds(uint64_t seed) : next_(seed) {}

  // A UUID. A client's id is taken when it looks like one: anything else would go into headers.
  std::string Of(const net::HttpRequest& request);

 private:
  std::atomic<uint64_t> next_;
};

}  // namespace orrery::sql
