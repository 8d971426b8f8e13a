// The query runners of a server, by API. Filled at the start, when the portal may be answering
// already. Thread-safe; what is added must outlive it.
#pragma once

#include <array>
#include <atomic>
#include <string>
#include <string_view>

#include "query/runner/query_runner.h"

namespace orrery::query {

class QueryRunners {
 public:
  static constexpr size_t kRunnersMax = 8;

  // REQUIRES: fewer than kRunnersMax are there. From one thread.
  void Add(QueryRunner& runner);
  // Null when that API has none, or is closed.
  QueryRunner* Find(std::string_view api) const;
  // "sql, cassandra": of those that are there.
  std::string Names() const;

 private:
  std::array<std::atomic<QueryRunner*>, kRunnersMax> runners_{};
};

}  // namespace orrery::query
