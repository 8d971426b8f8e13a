// A SchemaListener is told of changes of the schema: the server, which tells the clients that
// registered.
#pragma once

#include "api/cassandra/executor/outcome.h"

namespace orrery::cassandra {

class SchemaListener {
 public:
  virtual ~SchemaListener() = default;
  virtual void SchemaChanged(const SchemaChange& change) = 0;  // from any thread; must not block
};

}  // namespace orrery::cassandra
