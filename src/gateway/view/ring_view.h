// Makes the ring that clients are told (ring.h) of the newest catalog and topology, by the plan of
// token_plan.h.
//
// Thread-safe.
#pragma once

#include <memory>

#include "base/mutex.h"
#include "cluster/node.h"
#include "gateway/catalog/catalog.h"
#include "gateway/view/cluster_view.h"
#include "gateway/view/ring.h"

namespace orrery::gateway {

class RingView final : public RingSource {
 public:
  // All must outlive it.
  RingView(const Catalog& catalog, const cluster::Node& node, const ClusterView& cluster)
      : catalog_(catalog), node_(node), cluster_(cluster) {}

  NodeId self() const override { return cluster_.self(); }
  std::shared_ptr<const Ring> Look() override EXCLUDES(mutex_);

 private:
  const Catalog& catalog_;
  const cluster::Node& node_;
  const ClusterView& cluster_;

  Mutex mutex_;
  // The input of the ring, kept so that no other object has its address.
  ClusterNodes nodes_ GUARDED_BY(mutex_);
  std::shared_ptr<const CatalogSnapshot> snapshot_ GUARDED_BY(mutex_);
  // Not kept: it has partitions, which must close when they are another node's.
  std::weak_ptr<const cluster::Topology> topology_ GUARDED_BY(mutex_);
  std::shared_ptr<const Ring> ring_ GUARDED_BY(mutex_);
};

}  // namespace orrery::gateway
