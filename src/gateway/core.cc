#include "gateway/core.h"

#include "base/log.h"
#include "gateway/move/move_keeper.h"

namespace orrery::gateway {
namespace {

// Finds the commits that are in doubt in a partition before it is used here.
class PreparedLoader final : public cluster::TopologyObserver {
 public:
  PreparedLoader(PreparedTable& prepared, cluster::TopologyObserver* next)
      : prepared_(prepared), next_(next) {}
  void OnChange(const cluster::PartitionChange& change) override {
    if (next_ != nullptr) next_->OnChange(change);
  }
  Status OnOpen(const cluster::HostedPartition& partition) override {
    return prepared_.Load(partition);
  }

 private:
  PreparedTable& prepared_;
  cluster::TopologyObserver* const next_;  // null: none
};

}  // namespace

Core::Core(const Clock& clock) : times_(clock), prepared_(reservations_, clock) {}

Result<std::unique_ptr<Core>> Core::Open(const CoreOptions& options, const Parts& parts) {
  std::unique_ptr<Core> core(new Core(parts.clock));
  if (parts.system == nullptr) {
    ORRERY_ASSIGN(core->system_,
                  cluster::SystemStore::Open(parts.resources, options.directory + "/system"));
  }
  core->used_system_ = parts.system != nullptr ? parts.system : core->system_.get();
  ORRERY_ASSIGN(core->catalog_,
                Catalog::Load(*core->used_system_, options.limits, options.computed));
  ORRERY_TRY(core->catalog_->UseTimes(core->times_));
  partition::SequencerOptions sequencer = options.sequencer;
  sequencer.times = &core->times_;
  sequencer.reservations = &core->reservations_;
  cluster::TopologyObserver* observer = options.observer;
  if (parts.peers != nullptr) {
    core->opened_ = std::make_unique<PreparedLoader>(core->prepared_, options.observer);
    observer = core->opened_.get();
  }
  ORRERY_ASSIGN(core->node_,
                cluster::Node::Open(
                    {.self = options.self,
                     .data_directory = options.directory,
                     .limits = options.limits,
                     .partitions_max = options.partitions_max,
                     .ballast = options.ballast,
                     .metrics = &parts.metrics,
                     .observer = observer},
                    {.resources = parts.resources,
                     .commit_pool = parts.commit_pool,
                     .clock = parts.clock,
                     .sequencer = sequencer,
                     .burst = options.burst,
                     .lease = options.lease},
                    *core->used_system_,
                    [&catalog = *core->catalog_](ContainerId id) { return catalog.Schema(id); },
                    core->catalog_->Throughputs()));
  if (parts.peers != nullptr) {
    core->remote_ = std::make_unique<RemoteGateway>(Forwarder::Parts{.catalog = *core->catalog_,
                                                                     .node = *core->node_,
                                                                     .peers = *parts.peers,
                                                                     .clock = parts.clock,
                                                                     .timers = *parts.timers});
  }
  core->transactions_ = std::make_unique<TransactionCoordinator>(
      TransactionCoordinator::Parts{.catalog = *core->catalog_,
                                    .node = *core->node_,
                                    .clock = parts.clock,
                                    .times = core->times_,
                                    .reservations = core->reservations_,
                                    .prepared = core->prepared_,
                                    .metrics = parts.metrics,
                                    .peers = parts.peers,
                                    .remote = core->remote_.get(),
                                    .self = options.self});
  const Gateway::Parts gateway_parts{.catalog = *core->catalog_,
                                     .node = *core->node_,
                                     .accounts = parts.accounts,
                                     .clock = parts.clock,
                                     .io_pool = parts.io_pool,
                                     .metrics = parts.metrics,
                                     .times = core->times_,
                                     .limits = options.limits,
                                     .reservations = core->reservations_,
                                     .transactions = *core->transactions_,
                                     .remote = core->remote_.get()};
  core->gateway_ = std::make_unique<Gateway>(gateway_parts);
  core->rows_ = std::make_unique<RowGateway>(gateway_parts);
  Gateway::Parts unmetered_parts = gateway_parts;
  unmetered_parts.limits.meters = false;
  core->unmetered_ = std::make_unique<Gateway>(unmetered_parts);
  core->moves_ =
      std::make_unique<MoveKeeper>(MoveKeeper::Parts{.gateway = *core->gateway_,
                                                     .unmetered = *core->unmetered_,
                                                     .rows = *core->rows_,
                                                     .system = *core->used_system_,
                                                     .reservations = core->reservations_,
                                                     .clock = parts.clock,
                                                     .in_cluster = parts.peers != nullptr});
  if (core->remote_ != nullptr) {
    core->service_ = std::make_unique<RemoteService>(
        *core->catalog_, *core->gateway_, *core->rows_,
        parts.programs != nullptr ? *parts.programs : core->no_programs_);
    core->remote_->Connect(*core->service_);
  }
  core->catalog_->Connect(*core->node_, core->remote_.get());
  core->rows_->outbox().Round();
  // On a cluster the nodes that open partitions find what is in doubt there (PreparedLoader).
  if (parts.peers == nullptr) {
    ORRERY_TRY(core->transactions_->Recover());
    ORRERY_TRY(core->moves_->Resume());
  }
  return core;
}

Core::~Core() { Stop(); }

void Core::Follow() {
  if (const Status followed = catalog_->Follow(); !followed.has_value())
    LogError("the catalog cannot be updated from the system store: {}",
             followed.error().ToString());
  node_->Reconcile(catalog_->Throughputs());
}

void Core::Maintain() {
  node_->Maintain();
  rows_->outbox().Round();
  transactions_->Maintain();
}

void Core::Stop() {
  if (moves_ != nullptr) moves_->Stop();
  if (catalog_ != nullptr) catalog_->Disconnect();
  if (rows_ != nullptr) rows_->outbox().Stop();
  if (transactions_ != nullptr) transactions_->Stop();
  if (service_ != nullptr) service_->Stop();
  if (remote_ != nullptr) remote_->WaitUntilIdle();
  if (node_ != nullptr) node_->Stop();
}

}  // namespace orrery::gateway
