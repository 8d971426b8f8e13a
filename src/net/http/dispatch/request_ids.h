// RequestIds makes the ids by which requests are named in answers and logs.
//
// Thread-safe.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>

#include "net/http/http_message.h"

namespace orrery::net {

class RequestIds {
 public:
  // Servers with different seeds give different ids.
  explicit RequestIds(uint64_t seed) : next_(seed) {}

  // Returns a new UUID.
  std::string Next();
  // Returns the client's own id, in the header of that name, or a new one. A client's id is taken
  // when it looks like a UUID: anything else would go into headers.
  std::string Of(const HttpRequest& request, std::string_view header);

 private:
  std::atomic<uint64_t> next_;
};

}  // namespace orrery::net
