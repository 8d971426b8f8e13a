// Many connections that did their handshake and then say nothing: what do they cost a server?
#pragma once

#include <cstddef>
#include <memory>

#include "base/status.h"
#include "cql/cql_options.h"

namespace orrery::bench {

// Holds the connections until it is destroyed. Not thread-safe.
class IdleConnections {
 public:
  IdleConnections();
  ~IdleConnections();

  // Opens `count` more, one after the other. Raises this process's limit of open files first;
  // kResourceExhausted when the system does not allow as many.
  Status Open(const Target& target, size_t count);

 private:
  struct Impl;
  const std::unique_ptr<Impl> impl_;
};

}  // namespace orrery::bench
