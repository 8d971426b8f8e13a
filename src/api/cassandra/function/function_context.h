// The context that a function may need beyond its arguments.
#pragma once

#include <cstdint>
#include <string>

#include "base/clock.h"

namespace orrery::cassandra {

// The source of new ids. No two are the same, whichever statement asks. Thread-safe.
class UuidSource {
 public:
  virtual ~UuidSource() = default;
  // Version 1, of about now; the next one is later.
  virtual std::string NextTimeUuid() = 0;
  // Version 4.
  virtual std::string NextRandomUuid() = 0;
};

// One per execution of a statement, used by one thread at a time.
struct FunctionContext {
  Micros now;         // when the request came: the same for all that the statement asks
  UuidSource& uuids;  // must outlive it

  int64_t now_ms() const { return std::chrono::floor<std::chrono::milliseconds>(now).count(); }
};

}  // namespace orrery::cassandra
