// A cluster of nodes in one process: objects in memory, calls without a network, time by hand.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <initializer_list>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/log.h"
#include "base/mutex.h"
#include "base/thread_pool.h"
#include "cluster/manager/manager.h"
#include "cluster/manager/sweeper.h"
#include "cluster/member/membership.h"
#include "cluster/node.h"
#include "cluster/node_service.h"
#include "cluster/peers.h"
#include "cluster/system/cluster_system.h"
#include "item/item_test_harness.h"
#include "storage/rados/object/memory_store.h"
#include "storage/rados/rados_file_system.h"
#include "storage/resources.h"

namespace orrery::cluster {

// Hands calls over to whoever has the number, unless one of both is cut off.
class PeerHub {
 public:
  using Handler = std::function<void(NodeId, PeerMethod, std::string, PeerService::Answer)>;

  void Enter(NodeId node, Handler handler, const std::atomic<bool>& cut) EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    nodes_[node] = {std::move(handler), &cut};
  }
  void Leave(NodeId node) EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    nodes_.erase(node);
  }
  void Call(NodeId caller, NodeId node, PeerMethod method, std::string request, Peers::Done done)
      EXCLUDES(mutex_) {
    Handler handler;
    bool known = false;
    {
      MutexLock lock(mutex_);
      const auto from = nodes_.find(caller);
      const auto to = nodes_.find(node);
      known = to != nodes_.end();
      if (from != nodes_.end() && known && !*from->second.cut && !*to->second.cut)
        handler = to->second.handler;
    }
    // As over a network: on the caller's own stack only if there is nobody to be called.
    if (!known) return done(Fail(Code::kUnavailable, "nobody has this number"));
    static_cast<void>(
        wires_.Submit([caller, method, handler = std::move(handler), request = std::move(request),
                       done = std::move(done)]() mutable {
          if (!handler) return done(Fail(Code::kUnavailable, "no connection"));
          handler(caller, method, std::move(request), std::move(done));
        }));
  }

 private:
  struct Entry {
    Handler handler;
    const std::atomic<bool>* cut;
  };
  Mutex mutex_;
  std::map<NodeId, Entry> nodes_ GUARDED_BY(mutex_);
  ThreadPool wires_{"wires", 2, 1'024};
};

class HubPeers final : public Peers {
 public:
  HubPeers(PeerHub& hub, const NodeId& self) : hub_(hub), self_(self) {}
  void Call(NodeId node, PeerMethod method, std::string request,
            std::chrono::milliseconds /*patience*/, Done done) override {
    hub_.Call(self_, node, method, std::move(request), std::move(done));
  }

 private:
  PeerHub& hub_;
  const NodeId& self_;
};

inline constexpr ContainerId kTestContainer(1);

// One process of the cluster.
struct TestNode {
  TestNode(storage::rados::MemoryCluster& objects, PeerHub& peer_hub, const ManualClock& time,
           std::function<uint64_t()> random,
           std::function<NodeId(const std::string&)> predecessor = nullptr)
      : hub(peer_hub),
        clock(time),
        store(std::make_shared<storage::rados::MemoryStore>(objects)),
        membership(*Membership::Join(*store, clock,
                                     {.fresh_cluster_id = std::string(32, '7'),
                                      .fresh_secret = std::string(64, '5'),
                                      .host_id = std::string(16, 'h'),
                                      .predecessor = std::move(predecessor)})),
        self(membership->self()),
        files(*storage::rados::RadosFileSystem::Open(
            store, {.stripe_bytes = 64 << 10, .clock = &clock, .random = std::move(random)})),
        resources({.block_cache_bytes = 4 << 20,
                   .recycled_log_bytes_min = UINT64_MAX,
                   .file_system = files->AsFileSystem(),
                   .directory_owner = files}),
        system(self, peers) {
    hub.Enter(
        self,
        [this](NodeId caller, PeerMethod method, std::string request, PeerService::Answer answer) {
          if (method == PeerMethod::kTellTime) {
            answer(std::string());  // whoever asks only wants to know whether it lives
          } else if (service != nullptr && method >= PeerMethod::kPartitionStatistics) {
            service->Serve(method, std::move(request), std::move(answer));
          } else {
            system.Serve(caller, method, std::move(request), std::move(answer));
          }
        },
        cut);
    system.OnApplied([this] {
      if (node != nullptr) node->Reconcile();
    });
    EXPECT_TRUE(membership->Enter({.peer_address = "test"}).has_value());
    membership->Connect({.system = system,
                         .open_system =
                             [this](bool must_exist) {
                               return LocalSystemStore::Open(resources, "/system", must_exist);
                             },
                         .met = [](const std::vector<NodeDescriptor>&) {},
                         .answers =
                             [this](NodeId other) {
                               return peers
                                   .CallAndWait(other, PeerMethod::kTellTime, {}, kAnswerPatience)
                                   .has_value();
                             }});
    Tick();
  }
  ~TestNode() {
    hub.Leave(self);
    manager.reset();
    sweeper.reset();
    if (service != nullptr) service->Stop();
    membership->Stop();
    system.Stop();
    node.reset();
  }

  void Tick() {
    const Status ticked = membership->Tick();
    EXPECT_TRUE(ticked.has_value()) << ticked.error().ToString();
  }
  // With partitions from here on.
  void OpenPartitions(const std::shared_ptr<item::ContainerSchema>& schema) {
    auto opened = Node::Open(
        {.self = self, .data_directory = "", .limits = {}},
        {.resources = resources, .commit_pool = pool, .clock = clock, .sequencer = {}}, system,
        [schema](ContainerId id) { return id == kTestContainer ? schema : nullptr; }, {});
    ASSERT_TRUE(opened.has_value()) << opened.error().ToString();
    node = *std::move(opened);
    service = std::make_unique<NodeService>(*node, clock);
    manager = std::make_unique<Manager>(
        Manager::Parts{.self = self,
                       .store = *store,
                       .membership_list = membership->membership_list(),
                       .system = system,
                       .peers = peers,
                       .node = *node,
                       .clock = clock,
                       .leads = [this] { return membership->LeadsNow(); }},
        ManagerOptions{.settling = std::chrono::seconds(0)});
    sweeper = NewSweeper({.patience = std::chrono::seconds(60)});
  }
  std::unique_ptr<Sweeper> NewSweeper(SweeperOptions options) {
    return std::make_unique<Sweeper>(
        Sweeper::Parts{.self = self,
                       .membership_list = membership->membership_list(),
                       .system = system,
                       .peers = peers,
                       .node = *node,
                       .resources = resources,
                       .files = *files,
                       .clock = clock},
        options);
  }

  PeerHub& hub;
  const ManualClock& clock;
  std::atomic<bool> cut{false};
  std::shared_ptr<storage::rados::MemoryStore> store;
  std::unique_ptr<Membership> membership;
  const NodeId self;
  std::shared_ptr<storage::rados::RadosFileSystem> files;
  storage::EngineResources resources;
  ThreadPool pool{"commit", 2, 1'024};
  HubPeers peers{hub, self};
  ClusterSystem system;
  std::unique_ptr<Node> node;
  std::unique_ptr<NodeService> service;
  std::unique_ptr<Manager> manager;
  std::unique_ptr<Sweeper> sweeper;
};

class ClusterTest : public testing::Test {
 protected:
  void SetUp() override { SetLogLevel(LogLevel::kOff); }
  void TearDown() override {
    while (!nodes_.empty()) nodes_.pop_back();
  }

  TestNode& Add(std::function<NodeId(const std::string&)> predecessor = nullptr) {
    nodes_.push_back(std::make_unique<TestNode>(
        objects_, hub_, clock_, [this] { return ++last_id_ * 0x9e3779b97f4a7c15; },
        std::move(predecessor)));
    return *nodes_.back();
  }
  // kill -9: its calls and operations end, its memory goes when the test does.
  void Crash(size_t index) {
    nodes_[index]->cut = true;
    nodes_[index]->store->Crash();
  }
  // As much as makes every lease that is not renewed run out; those of `renewed` stay.
  void PassLeaseTimeFor(std::initializer_list<TestNode*> renewed) {
    for (int i = 0; i < 7; ++i) {
      clock_.Advance(std::chrono::seconds(1));
      for (TestNode* node : renewed) ASSERT_TRUE(node->membership->RenewLeases().has_value());
    }
  }
  void PassLeaseTime() {
    for (int i = 0; i < 7; ++i) {
      clock_.Advance(std::chrono::seconds(1));
      for (const auto& node : nodes_)
        if (!node->cut) ASSERT_TRUE(node->membership->RenewLeases().has_value());
    }
  }

  ManualClock clock_;
  storage::rados::MemoryCluster objects_{clock_};
  PeerHub hub_;
  std::atomic<uint64_t> last_id_{1};
  std::vector<std::unique_ptr<TestNode>> nodes_;
};

}  // namespace orrery::cluster
