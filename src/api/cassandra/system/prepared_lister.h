// A PreparedLister lists the prepared statements: for system.prepared_statements.
#pragma once

#include <string>
#include <vector>

namespace orrery::cassandra {

struct PreparedFacts {
  std::string id;        // 16 bytes
  std::string keyspace;  // of USE when it was prepared; empty: none
  std::string query;
};

// Thread-safe.
class PreparedLister {
 public:
  virtual ~PreparedLister() = default;
  virtual std::vector<PreparedFacts> PreparedStatements() const = 0;
};

}  // namespace orrery::cassandra
