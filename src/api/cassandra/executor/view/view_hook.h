// Maintains the views of base tables as derived writes change their rows: the other partitions of a
// logged batch, also those that a crash has left undelivered.
//
// It is to derived writes what TableViews is to the writes of clients. It differs in that the
// changes are made already, and must not be refused any more.
//
// Thread-safe.
#pragma once

#include "api/cassandra/executor/view/view_registry.h"
#include "api/cassandra/executor/view/write_grace_period.h"
#include "gateway/outbox/view_maintenance_hook.h"

namespace orrery::cassandra {

class ViewHook final : public gateway::ViewMaintenanceHook {
 public:
  // Both must outlive it and its programs.
  ViewHook(const ViewRegistry& registry, const WriteGracePeriod& grace_period)
      : registry_(registry), grace_period_(grace_period) {}

  Plan PlanFor(const item::DerivedWrite& derived_write) const override;

 private:
  const ViewRegistry& registry_;
  const WriteGracePeriod& grace_period_;
};

}  // namespace orrery::cassandra
