// A StoreWatch keeps the status of the object store for status pages: how healthy it is, and which
// disks have the copies of a partition. It asks in the background, because the monitors may be
// slow.
//
// Look() from one thread; the rest from any, without waiting.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/ids.h"
#include "base/published.h"
#include "base/status.h"
#include "gateway/view/cluster_view.h"
#include "storage/rados/object/cluster_facts.h"

namespace orrery::server {

class StoreWatch {
 public:
  // Partitions whose copies are asked for in one look; the others have their turn in the next.
  static constexpr size_t kPartitionsPerLook = 256;

  // The functions that ask the store.
  struct Source {
    std::function<Result<storage::rados::PoolFacts>()> pool;
    std::function<Result<storage::rados::ClusterFacts>()> cluster;
    // The directories of partitions that there are, and the objects they are in.
    std::function<Result<std::map<PartitionId, std::string>>()> directories;
    std::function<Result<std::vector<uint32_t>>(const std::string& object)> copies;
  };
  StoreWatch(std::string pool, Source source);

  void Look();

  std::shared_ptr<const gateway::StoreReport> report() const { return report_.Load(); }
  // None while it is not known.
  std::vector<uint32_t> CopiesOf(PartitionId partition) const;

 private:
  using Copies = std::map<PartitionId, std::vector<uint32_t>>;

  Status LookAtStore(gateway::StoreReport& report) const;
  Status LookForCopies();

  const Source source_;
  Published<gateway::StoreReport> report_;
  Published<Copies> copies_;
  PartitionId next_;  // of Look: who has the next turn
};

}  // namespace orrery::server
