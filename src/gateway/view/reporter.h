// Fills in the reports of inspection.h from one snapshot of catalog and topology.
//
// Internal to gateway/. What is given must outlive it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "cluster/partition_statistics.h"
#include "cluster/topology.h"
#include "gateway/catalog/catalog.h"
#include "gateway/view/inspection.h"
#include "gateway/view/key_naming.h"

namespace orrery::gateway {

class Reporter {
 public:
  Reporter(const CatalogSnapshot& catalog, const cluster::Topology& topology, const Clock& clock,
           const KeyNamings& names)
      : catalog_(catalog), topology_(topology), names_(names), now_(clock.Monotonic()) {}

  PartitionReport Describe(const cluster::HostedPartition& partition) const;
  // Of a partition that another node has; null: that one did not tell.
  PartitionReport Describe(const cluster::RemotePartition& partition,
                           const cluster::PartitionStatistics* statistics) const;
  // Sizes, number of partitions and advice; throughput and progress are the catalog's to add.
  // `others` are what the other nodes have told, with keys.
  ContainerReport Describe(const ContainerEntry& container, const StatisticsByNode& others) const;
  // The partitions that are open here and have a part of the container, in ring order, each once.
  std::vector<std::shared_ptr<cluster::HostedPartition>> PartitionsOf(ContainerId container) const;

 private:
  std::string OwnerText(cluster::ThroughputOwner throughput_owner) const;
  const ContainerEntry* Find(ContainerId id) const;
  std::vector<KeyReport> Largest(const cluster::HostedPartition& partition) const;
  std::vector<KeyReport> Hottest(const cluster::HostedPartition& partition) const;
  KeyReport DescribeKey(ContainerId container, std::string_view encoded) const;

  const CatalogSnapshot& catalog_;
  const cluster::Topology& topology_;
  const KeyNamings& names_;
  const Micros now_;
};

}  // namespace orrery::gateway
