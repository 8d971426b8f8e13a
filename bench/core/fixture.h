// The whole core in this process, on a fresh directory: what a server has below its listeners.
#pragma once

#include <memory>
#include <string>

#include "base/clock.h"
#include "base/metrics.h"
#include "base/thread_pool.h"
#include "gateway/account/accounts.h"
#include "gateway/core.h"
#include "partition/limits.h"
#include "storage/resources.h"

namespace orrery::bench {

// Ends the program with the message when `status` is an error.
void Require(const Status& status, std::string_view what);
// Forgets the value.
template <typename T>
Status StatusOf(const Result<T>& result) {
  return result.has_value() ? Status() : Status(std::unexpected(result.error()));
}
template <typename T>
T Require(Result<T> result, std::string_view what) {
  if (!result.has_value()) Require(Status(std::unexpected(result.error())), what);
  return *std::move(result);
}

struct FixtureOptions {
  std::string directory;  // where; removed at the end
  partition::Limits limits;
  size_t cache_bytes = size_t{256} << 20;
};

class Fixture {
 public:
  explicit Fixture(FixtureOptions options);
  ~Fixture();

  gateway::Gateway& gateway() { return core_->gateway(); }
  gateway::Catalog& catalog() { return core_->catalog(); }
  cluster::Node& node() { return core_->node(); }
  storage::EngineResources& resources() { return resources_; }
  const SystemClock& clock() const { return clock_; }

  // A container in database "bench" with key /pk; throughput 0 = unmetered. `indexed` false: no
  // automatic index.
  gateway::ContainerRef MakeContainer(const std::string& name, int64_t throughput, bool indexed);

 private:
  const FixtureOptions options_;
  SystemClock clock_;
  MetricsRegistry metrics_;
  storage::EngineResources resources_;
  ThreadPool commit_pool_;
  ThreadPool io_pool_;
  gateway::Accounts accounts_;
  std::unique_ptr<gateway::Core> core_;
};

// A document of about `bytes` bytes with /pk and /id made from `number`.
model::Document MakeDocument(uint64_t number, size_t bytes);
gateway::WriteRequest UpsertRequest(const gateway::ContainerRef& container, uint64_t number,
                                    size_t bytes);

// Seconds since an arbitrary point, for measuring.
double Now();
// Resident memory of this process.
size_t ResidentBytes();

}  // namespace orrery::bench
