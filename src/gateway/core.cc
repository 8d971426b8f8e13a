#include "gateway/core.h"

namespace orrery::gateway {

Result<std::unique_ptr<Core>> Core::Open(const CoreOptions& options, const Parts& parts) {
  std::unique_ptr<Core> core(new Core());
  ORRERY_ASSIGN(core->system_,
                cluster::SystemStore::Open(parts.resources, options.directory + "/system"));
  ORRERY_ASSIGN(core->catalog_, Catalog::Load(*core->system_, options.limits));
  ORRERY_ASSIGN(core->node_,
                cluster::Node::Open(
                    {.data_directory = options.directory,
                     .limits = options.limits,
                     .metrics = &parts.metrics},
                    {.resources = parts.resources,
                     .commit_pool = parts.commit_pool,
                     .clock = parts.clock,
                     .sequencer = options.sequencer,
                     .burst = options.burst},
                    *core->system_,
                    [&catalog = *core->catalog_](ContainerId id) { return catalog.Schema(id); },
                    core->catalog_->Throughputs()));
  core->catalog_->Connect(*core->node_);
  const Gateway::Parts doors{.catalog = *core->catalog_,
                             .node = *core->node_,
                             .accounts = parts.accounts,
                             .clock = parts.clock,
                             .io_pool = parts.io_pool,
                             .metrics = parts.metrics,
                             .limits = options.limits};
  core->gateway_ = std::make_unique<Gateway>(doors);
  core->rows_ = std::make_unique<RowGateway>(doors);
  core->rows_->outbox().Round();
  return core;
}

Core::~Core() { Stop(); }

void Core::Upkeep() {
  node_->Upkeep();
  rows_->outbox().Round();
}

void Core::Stop() {
  if (catalog_ != nullptr) catalog_->Disconnect();
  if (rows_ != nullptr) rows_->outbox().Stop();
  if (node_ != nullptr) node_->Stop();
}

}  // namespace orrery::gateway
