// Mixed load on a server: several connections that read and write items of every container, and
// one that splits, merges, changes throughput, and makes and drops containers.
//
// Everything asked and answered goes into the models. Ends by itself when the server dies.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <string>
#include <thread>
#include <vector>

#include "crash/admin_client.h"
#include "crash/model.h"

namespace orrery::crash {

struct WorkloadCounts {
  std::atomic<uint64_t> acknowledged{0};
  std::atomic<uint64_t> refused{0};
  std::atomic<uint64_t> unknown{0};
  std::atomic<uint64_t> reads{0};
  std::atomic<uint64_t> splits{0};
  std::atomic<uint64_t> merges{0};
  std::atomic<uint64_t> catalog_changes{0};
};

class Workload {
 public:
  // `label` makes the tokens of this run unlike all others'. All references must outlive it.
  Workload(uint16_t port, uint64_t seed, std::string label, std::deque<ContainerModel>& containers,
           CatalogModel& catalog, WorkloadCounts& counts);
  // Returns when the server has died, or Stop was called, and all threads have ended.
  ~Workload();
  void Stop() { stopping_.store(true); }

 private:
  void RunClient(size_t number);
  void RunOperator();

  const uint16_t port_;
  const uint64_t seed_;
  const std::string label_;
  std::deque<ContainerModel>& containers_;
  CatalogModel& catalog_;
  WorkloadCounts& counts_;
  std::atomic<bool> stopping_{false};
  std::vector<std::jthread> threads_;  // last: they use the rest
};

}  // namespace orrery::crash
