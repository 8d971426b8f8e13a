// Serves queries in the languages of all APIs: POST query, POST query/plan, DELETE
// query/{activity}.
//
// They run on threads of their own, a few at a time: a query may wait for the I/O pool, and must
// not hold the threads that it waits for.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/mutex.h"
#include "base/request_context.h"
#include "base/thread_pool.h"
#include "portal/router.h"
#include "query/runner/query_runners.h"

namespace orrery::portal {

// The queries that are under way, by the name that their callers gave them. Thread-safe.
class RunningQueries {
 public:
  static constexpr size_t kRunningMax = 256;

  // kAlreadyExists for a name that is in use, kOverloaded when too many are under way.
  Status Begin(const std::string& activity, std::shared_ptr<RequestOrigin> origin) EXCLUDES(mutex_);
  void End(const std::string& activity) EXCLUDES(mutex_);
  // False: there is none of that name.
  bool Cancel(std::string_view activity) EXCLUDES(mutex_);
  void CancelAll() EXCLUDES(mutex_);

 private:
  Mutex mutex_;
  std::map<std::string, std::shared_ptr<RequestOrigin>, std::less<>> running_ GUARDED_BY(mutex_);
};

struct QueryParts {
  const query::QueryRunners& runners;
  RunningQueries& running;
  ThreadPool& pool;  // of its own
  const Clock& clock;
  std::function<uint64_t()> random;
  // Says whether a caller who may read may also write.
  std::function<bool(const net::HttpRequest&)> may_write;
};

// All must outlive the router.
void AddQueryRoutes(Router& router, QueryParts parts);

}  // namespace orrery::portal
