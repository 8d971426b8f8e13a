// An HttpWorkload chooses the next request of one thread and checks the answers: the seam between
// connections of HTTP and the API that is measured.
//
// A server that answers fast but wrongly must not look good, so every answer is judged. Not
// thread-safe: one per thread, shared by its connections.
#pragma once

#include <string>

#include "load/http/answer_parser.h"
#include "load/tally.h"

namespace orrery::bench {

class HttpWorkload {
 public:
  HttpWorkload() = default;
  HttpWorkload(const HttpWorkload&) = default;
  HttpWorkload(HttpWorkload&&) = default;
  virtual ~HttpWorkload() = default;

  // Appends the next request.
  virtual OperationKind Next(std::string& out) = 0;
  virtual bool IsGood(const HttpAnswer& answer) const = 0;
};

}  // namespace orrery::bench
