// The core of a server: system store, catalog, node and gateway on one data directory, opened in
// the order in which they need each other and ended in the reverse.
//
// A node of a cluster is a core with peers: requests for what other nodes have open go there
// (remote/remote_gateway.h), and theirs for what is open here come to peer_service().
//
// The owner provides the threads, the cache, the clock and the metrics, and thereby decides how a
// server, a test or a benchmark differ.
//
// Open and Stop from one thread; the parts are thread-safe each.
#pragma once

#include <memory>
#include <string>

#include "base/clock.h"
#include "base/cluster_clock.h"
#include "base/metrics.h"
#include "base/status.h"
#include "base/thread_pool.h"
#include "cluster/node.h"
#include "cluster/peers.h"
#include "cluster/system/system_store.h"
#include "cluster/topology_observer.h"
#include "gateway/account/accounts.h"
#include "gateway/catalog/catalog.h"
#include "gateway/gateway.h"
#include "gateway/program/program_registry.h"
#include "gateway/remote/remote_gateway.h"
#include "gateway/remote/remote_service.h"
#include "gateway/remote/timer_queue.h"
#include "gateway/row/row_gateway.h"
#include "gateway/snapshot/prepared_table.h"
#include "gateway/snapshot/transaction_coordinator.h"
#include "partition/limits.h"
#include "partition/sequencer.h"
#include "storage/resources.h"

namespace orrery::gateway {

class MoveKeeper;

struct CoreOptions {
  std::string directory;                  // must exist; "system" and "partitions" are below it
  NodeId self{};                          // who this is in its cluster; 0: a single machine
  const cluster::Lease* lease = nullptr;  // the node's, in a cluster; must outlive the core
  partition::Limits limits{};
  size_t partitions_max = 0;  // of this node, for the files that they have open; 0: any number
  bool burst = false;
  partition::SequencerOptions sequencer{};
  // Makes what indexes have of documents beside their fields; none: nothing. Must outlive the core.
  const item::ComputedMaker* computed = nullptr;
  // A file to give up on a full disk; none: there is nothing to give. Must outlive the core.
  storage::Ballast* ballast = nullptr;
  // Is told of splits and merges that this node makes; none: nobody. Must outlive the core.
  cluster::TopologyObserver* observer = nullptr;
};

class Core {
 public:
  // All must outlive the core. With peers all three of the last are needed.
  struct Parts {
    storage::EngineResources& resources;
    ThreadPool& commit_pool;
    ThreadPool& io_pool;
    const Accounts& accounts;
    const Clock& clock;
    MetricsRegistry& metrics;
    cluster::Peers* peers = nullptr;         // none on a single machine
    TimerQueue* timers = nullptr;            // what waits for others; stopped before the core
    cluster::SystemStore* system = nullptr;  // none: one of its own, in the directory
    // The programs that other nodes may send; null: none.
    const ProgramRegistry* programs = nullptr;
  };

  // Errors are those of SystemStore::Open, Catalog::Load and Node::Open.
  static Result<std::unique_ptr<Core>> Open(const CoreOptions& options, const Parts& parts);
  ~Core();  // calls Stop()

  cluster::SystemStore& system() { return *used_system_; }
  Catalog& catalog() { return *catalog_; }
  cluster::Node& node() { return *node_; }
  Gateway& gateway() { return *gateway_; }
  RowGateway& rows() { return *rows_; }
  TransactionCoordinator& transactions() { return *transactions_; }
  MoveKeeper& moves() { return *moves_; }
  RemoteGateway* remote() { return remote_.get(); }  // null without peers
  // Answers other nodes (RemoteService::Offers). REQUIRES: there are peers.
  RemoteService& peer_service() { return *service_; }

  // The system store was changed, maybe by another node: for its OnApplied.
  void Follow();

  // One round of all maintenance: the node's and the outbox's. The server calls it every second on
  // a thread of its own; tests call it directly. What it begins goes on in the background.
  void Maintain();

  // Ends background work and closes the partitions; requests are then refused. Idempotent.
  // REQUIRES: nothing runs on the I/O pool that uses the gateway and may wait, and other nodes'
  // requests come no more.
  void Stop();

 private:
  explicit Core(const Clock& clock);

  ClusterClock times_;
  partition::Reservations reservations_;
  PreparedTable prepared_;
  std::unique_ptr<cluster::TopologyObserver> opened_;  // of a cluster
  const ProgramRegistry no_programs_;
  std::unique_ptr<cluster::SystemStore> system_;
  cluster::SystemStore* used_system_ = nullptr;  // that one, or the one given
  std::unique_ptr<Catalog> catalog_;
  std::unique_ptr<cluster::Node> node_;
  std::unique_ptr<RemoteGateway> remote_;  // with peers, as is the service
  std::unique_ptr<TransactionCoordinator> transactions_;
  std::unique_ptr<Gateway> gateway_;
  std::unique_ptr<RowGateway> rows_;
  std::unique_ptr<Gateway> unmetered_;
  std::unique_ptr<MoveKeeper> moves_;
  std::unique_ptr<RemoteService> service_;
};

}  // namespace orrery::gateway
