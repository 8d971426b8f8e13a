// Several cores in one process, as the nodes of a cluster whose store all of them reach: one
// directory, one system store, and each partition open at one of them. What goes between them goes
// through peers that fail on demand.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/log.h"
#include "base/metrics.h"
#include "base/mutex.h"
#include "base/thread_pool.h"
#include "cluster/peers.h"
#include "cluster/record/ownership_record.h"
#include "gateway/account/accounts.h"
#include "gateway/core.h"
#include "gateway/test_server.h"
#include "storage/resources.h"

namespace orrery::gateway {

// No time passes for those who wait, but on the manual clock. While it holds they wait for Flush.
class TestTimerQueue final : public TimerQueue {
 public:
  explicit TestTimerQueue(ManualClock& clock) : clock_(clock) {}
  bool Run(std::chrono::milliseconds delay, Task task) override EXCLUDES(mutex_) {
    clock_.Advance(delay);
    ++waits;
    if (holds) {
      MutexLock lock(mutex_);
      held_.push_back(std::move(task));
      return true;
    }
    if (on_wait) on_wait();
    task();
    return true;
  }
  void Flush() EXCLUDES(mutex_) {
    holds = false;
    std::vector<Task> held;
    {
      MutexLock lock(mutex_);
      held.swap(held_);
    }
    for (Task& task : held) task();
  }

  std::function<void()> on_wait;
  std::atomic<int> waits = 0;
  std::atomic<bool> holds = false;

 private:
  ManualClock& clock_;
  Mutex mutex_;
  std::vector<Task> held_ GUARDED_BY(mutex_);
};

// Calls the other core's service, on threads of its own as a network has them, unless told
// otherwise.
class TestPeers final : public cluster::Peers {
 public:
  void Call(NodeId node, cluster::PeerMethod method, std::string request,
            std::chrono::milliseconds /*patience*/, Done done) override {
    {
      MutexLock lock(mutex_);
      ++calls_[method];
      ++deliveries_;
      bytes_ += request.size();
    }
    EXPECT_TRUE(pool_.Submit(
        [this, node, method, request = std::move(request), done = std::move(done)]() mutable {
          Deliver(node, method, std::move(request), std::move(done));
          MutexLock lock(mutex_);
          if (--deliveries_ == 0) delivered_.NotifyAll();
        }));
  }

  // Forgets all services, and returns when none is being called any more. An answer may be here
  // before the call of the service that gave it returns, and cores call each other in the
  // background; a service must not go before that, as a server stops its network first.
  void Close() EXCLUDES(mutex_) {
    closed_ = true;
    MutexLock lock(mutex_);
    while (deliveries_ > 0) delivered_.Wait(mutex_);
    services.clear();
    closed_ = false;
  }

  int Calls(cluster::PeerMethod method) EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    return calls_[method];
  }

  // Of all requests and answers.
  size_t Bytes() EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    return bytes_;
  }

  std::map<NodeId, cluster::PeerService*> services;
  std::function<void(cluster::PeerMethod)> before_call;
  std::function<void(cluster::PeerMethod)> after_call;  // it was handed over, and not lost
  std::atomic<bool> cut = false;
  std::atomic<int> answers_to_lose = 0;

 private:
  void Count(size_t bytes) EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    bytes_ += bytes;
  }
  void Deliver(NodeId node, cluster::PeerMethod method, std::string request, Done done) {
    if (before_call) before_call(method);
    const auto found = closed_ ? services.end() : services.find(node);
    if (cut || found == services.end())
      return done(Fail(Code::kUnavailable, "there is no connection"));
    if (answers_to_lose == 0) {
      found->second->Serve(NodeId(99), method, std::move(request),
                           [this, done = std::move(done)](Result<std::string> answer) mutable {
                             if (answer.has_value()) Count(answer->size());
                             done(std::move(answer));
                           });
      if (after_call) after_call(method);
      return;
    }
    --answers_to_lose;
    found->second->Serve(NodeId(99), method, std::move(request),
                         [done = std::move(done)](const Result<std::string>&) mutable {
                           done(Fail(Code::kUnavailable, "the connection broke"));
                         });
  }

  std::atomic<bool> closed_ = false;
  Mutex mutex_;
  CondVar delivered_;
  std::map<cluster::PeerMethod, int> calls_ GUARDED_BY(mutex_);
  size_t bytes_ GUARDED_BY(mutex_) = 0;
  int deliveries_ GUARDED_BY(mutex_) = 0;  // that have not returned
  ThreadPool pool_{"peers", 3, 1'000};
};

class TestCluster {
 public:
  explicit TestCluster(partition::Limits cluster_limits = SmallPartitions())
      : limits(cluster_limits) {
    SetLogLevel(LogLevel::kError);
    static std::atomic<int> count{0};
    directory_ = std::filesystem::path(testing::TempDir()) /
                 ("orrery-cluster-" + std::to_string(getpid()) + "-" + std::to_string(count++));
    std::filesystem::create_directories(directory_);
    auto opened = cluster::SystemStore::Open(resources, (directory_ / "system").string());
    EXPECT_TRUE(opened.has_value());
    system = *std::move(opened);
    Start(1);
  }
  ~TestCluster() {
    peers.Close();
    cores_.clear();
    system.reset();
    std::error_code ignored;
    std::filesystem::remove_all(directory_, ignored);
  }

  // From here on `nodes` cores, each with its share of all partitions. Entries of the catalog that
  // were taken before are good no more.
  void Spread(uint64_t nodes) {
    std::vector<PartitionId> ids;
    for (const auto& record : core(1).node().topology()->Records()) ids.push_back(record->id);
    std::ranges::sort(ids);
    peers.Close();
    cores_.clear();
    for (size_t i = 0; i < ids.size(); ++i) Record(ids[i], NodeId(i % nodes + 1));
    Start(nodes);
  }

  // Hands a partition over; to nobody with 0.
  void Move(PartitionId id, NodeId to) {
    for (const auto& each : cores_) (void)each->core->node().Release(id);
    Record(id, to);
    Reconcile();
  }
  void Reconcile() {
    for (const auto& each : cores_) each->core->node().Reconcile();
    for (const auto& each : cores_) each->core->node().WaitForBackground();
  }
  void Record(PartitionId id, NodeId owner) {
    cluster::SystemStore::Change change;
    change.Put(cluster::OwnershipKey(id), cluster::EncodeOwner(owner));
    EXPECT_TRUE(system->Commit(std::move(change)).has_value());
  }

  Core& core(uint64_t node) { return *cores_[node - 1]->core; }
  ContainerRef Find(uint64_t node, std::string_view database, std::string_view name) {
    auto found = core(node).catalog().FindContainer(database, name);
    EXPECT_TRUE(found.has_value());
    return *found;
  }
  // Returns the partition of a key of a container.
  PartitionId PartitionOf(ContainerId container, Hash128 hash) {
    return *core(1).node().topology()->map->Lookup(container, hash);
  }
  std::filesystem::path PathOf(PartitionId id) const {
    return directory_ / "partitions" / std::to_string(id.value());
  }
  NodeId OwnerOf(PartitionId id) {
    for (size_t i = 0; i < cores_.size(); ++i) {
      if (cores_[i]->core->node().topology()->Find(id) != nullptr) return NodeId(i + 1);
    }
    return NodeId();
  }

  partition::Limits limits;
  ManualClock clock;
  storage::EngineResources resources;
  TestTimerQueue timers{clock};
  TestPeers peers;
  std::unique_ptr<cluster::SystemStore> system;
  ProgramRegistry programs;  // of all nodes

 private:
  struct Running {
    ThreadPool commit_pool{"commit", 2, 1'000};
    ThreadPool io_pool{"io", 3, 1'000};
    MetricsRegistry metrics;
    Accounts accounts = *Accounts::Create({});
    std::unique_ptr<Core> core;
  };

  void Start(uint64_t nodes) {
    for (uint64_t i = 1; i <= nodes; ++i) {
      auto running = std::make_unique<Running>();
      auto opened = Core::Open({.directory = directory_.string(),
                                .self = NodeId(i),
                                .limits = limits,
                                .sequencer = {.durability = storage::Durability::kOs}},
                               {.resources = resources,
                                .commit_pool = running->commit_pool,
                                .io_pool = running->io_pool,
                                .accounts = running->accounts,
                                .clock = clock,
                                .metrics = running->metrics,
                                .peers = &peers,
                                .timers = &timers,
                                .system = system.get(),
                                .programs = &programs});
      ASSERT_TRUE(opened.has_value()) << opened.error().ToString();
      running->core = *std::move(opened);
      running->core->node().WaitForBackground();
      peers.services[NodeId(i)] = &running->core->peer_service();
      cores_.push_back(std::move(running));
    }
  }

  std::filesystem::path directory_;
  std::vector<std::unique_ptr<Running>> cores_;
};

}  // namespace orrery::gateway
