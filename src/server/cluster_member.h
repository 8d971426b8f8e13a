// A ClusterMember makes a server a node of a cluster on RADOS: it connects to the object store,
// takes a number and a lease, talks to the other nodes, follows the manager or becomes it.
//
// In steps, because each needs what the one before it gave: Take (the store, a number, files), Join
// (a manager is known, so the system store can be read), Serve (requests of others are answered,
// and partitions come), Show (clients may know it).
//
// When the node's lease is lost another has taken over, or will: the process ends at once, as the
// store takes nothing from it any more.
//
// It implements gateway::ClusterView for the rest of the server.
//
// The steps and Stop from one thread.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/metrics.h"
#include "base/mutex.h"
#include "base/published.h"
#include "base/status.h"
#include "cli/settings/server_settings.h"
#include "cluster/manager/manager.h"
#include "cluster/manager/sweeper.h"
#include "cluster/member/clock_watch.h"
#include "cluster/member/membership.h"
#include "cluster/member/steered_clock.h"
#include "cluster/node_service.h"
#include "cluster/peers.h"
#include "cluster/system/cluster_system.h"
#include "gateway/core.h"
#include "gateway/remote/timer_queue.h"
#include "gateway/view/cluster_view.h"
#include "net/event_loops.h"
#include "net/tls/tls_identity.h"
#include "server/data_directory.h"
#include "server/peer_network.h"
#include "server/store_watch.h"
#include "server/ticker.h"
#include "storage/rados/object/librados_store.h"
#include "storage/rados/rados_file_system.h"

namespace orrery::server {

// The ports at which clients find a node.
struct ShownPorts {
  uint16_t sql = 0;
  uint16_t sql_direct = 0;  // 0: closed
  uint16_t cassandra = 0;   // 0: closed
};

class ClusterMember final : public gateway::ClusterView, private cluster::PeerService {
 public:
  // All must outlive the member.
  struct Parts {
    const cli::ServerSettings& settings;
    const DataDirectory& data;
    net::EventLoops& loops;
    cluster::SteeredClock& clock;  // becomes the cluster's
    MetricsRegistry& metrics;
  };
  // Errors say what to change: see LibradosStore::Connect, CheckCopies, MembershipList::Open.
  static Result<std::unique_ptr<ClusterMember>> Take(const Parts& parts);
  ~ClusterMember() override;

  NodeId self() const override { return membership_->self(); }
  NodeId manager() const override { return membership_->manager(); }
  const std::string& cluster_id() const override { return membership_->cluster_id(); }
  gateway::ClusterNodes Nodes() const override { return shown_.Load(); }
  std::shared_ptr<const gateway::StoreReport> Store() const override {
    return store_watch_->report();
  }
  std::vector<uint32_t> CopiesOf(PartitionId partition) const override {
    return store_watch_->CopiesOf(partition);
  }
  std::optional<std::chrono::milliseconds> ClockAhead(NodeId node) const override;

  const cluster::Lease& lease() const { return membership_->lease(); }
  cluster::Peers& peers() { return *network_; }
  gateway::TimerQueue& timers() { return timers_; }
  cluster::SystemStore& system() { return *system_; }
  // The file system of engines, for ResourceOptions.
  std::shared_ptr<storage::rados::RadosFileSystem> files() const { return files_; }

  // Returns when the system store can be read. `resources`, on files(), must outlive Stop().
  Status Join(storage::EngineResources& resources);
  // `core` must outlive Stop().
  void Serve(gateway::Core& core);
  Status Show(const ShownPorts& ports);

  // Asks the manager to hand this node's partitions to others, and waits until it has none, or
  // nobody takes them, or they are too many for a stop. It serves meanwhile.
  void HandOver();
  // Other nodes' requests end here.
  void StopServing();
  // Leaves the cluster. The core is stopped by then.
  void Stop();

 private:
  explicit ClusterMember(const Parts& parts);

  Status StartNetwork();
  void Meet(const std::vector<cluster::NodeDescriptor>& descriptors);
  void Tick();
  void Place(gateway::Core& core);
  void Renew();
  void Look();
  bool AskForRelief();
  void Serve(NodeId caller, cluster::PeerMethod method, std::string request,
             Answer answer) override;

  const Parts parts_;
  std::shared_ptr<storage::rados::LibradosStore> store_;
  MetricsRegistry::Registration store_metrics_;
  std::unique_ptr<cluster::Membership> membership_;
  std::shared_ptr<storage::rados::RadosFileSystem> files_;
  std::unique_ptr<net::TlsIdentity> tls_;
  gateway::TimerThread timers_;
  std::unique_ptr<PeerNetwork> network_;
  std::unique_ptr<cluster::ClusterSystem> system_;
  Published<std::vector<cluster::NodeDescriptor>> nodes_;  // all that are on the membership list
  Published<std::vector<gateway::ClusterNode>> shown_;     // those that clients may know
  std::unique_ptr<StoreWatch> store_watch_;
  std::unique_ptr<cluster::ClockWatch> clock_watch_;
  cluster::NodeDescriptor descriptor_;

  // Set by Serve(core); before, others' calls are refused.
  std::atomic<gateway::Core*> core_{nullptr};
  std::unique_ptr<cluster::NodeService> node_service_;
  std::unique_ptr<cluster::Manager> manager_;
  std::atomic<bool> somebody_left_{false};  // since the manager last saw to it
  bool leads_ = false;                      // as Place saw it the last time
  std::unique_ptr<cluster::Sweeper> sweeper_;
  storage::EngineResources* resources_ = nullptr;  // of Join

  std::optional<Ticker> renewals_;
  std::optional<Ticker> manager_renewals_;
  std::optional<Ticker> ticks_;
  std::optional<Ticker> placements_;
  std::optional<Ticker> looks_;
  std::optional<Ticker> sweeps_;
};

}  // namespace orrery::server
