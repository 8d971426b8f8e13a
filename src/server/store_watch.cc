#include "server/store_watch.h"

#include <utility>

namespace orrery::server {

StoreWatch::StoreWatch(std::string pool, Source source)
    : source_(std::move(source)), copies_(std::make_shared<const Copies>()) {
  gateway::StoreReport first;
  first.pool = std::move(pool);
  first.trouble = "not asked yet";
  report_.Store(std::make_shared<const gateway::StoreReport>(std::move(first)));
}

void StoreWatch::Look() {
  auto report = std::make_shared<gateway::StoreReport>(*report_.Load());
  report->trouble.clear();
  // The last report stays when the monitors do not answer.
  if (const Status looked = LookAtStore(*report); !looked.has_value())
    report->trouble = looked.error().message();
  if (const Status looked = LookForCopies(); !looked.has_value() && report->trouble.empty())
    report->trouble = looked.error().message();
  report_.Store(std::move(report));
}

Status StoreWatch::LookAtStore(gateway::StoreReport& report) const {
  ORRERY_ASSIGN(const storage::rados::PoolFacts pool, source_.pool());
  ORRERY_ASSIGN(const storage::rados::ClusterFacts cluster, source_.cluster());
  report.copies = pool.size;
  report.copies_serving = pool.min_size;
  report.health = cluster.health;
  report.checks = cluster.checks;
  report.disks = cluster.osds;
  report.disks_up = cluster.osds_up;
  report.bytes_used = cluster.bytes_used;
  report.bytes_available = cluster.bytes_available;
  return {};
}

Status StoreWatch::LookForCopies() {
  ORRERY_ASSIGN(const auto directories, source_.directories());
  auto copies = std::make_shared<Copies>(*copies_.Load());
  std::erase_if(*copies, [&](const auto& entry) { return !directories.contains(entry.first); });
  Status asked;
  auto at = directories.lower_bound(next_);
  for (size_t i = 0; i < kPartitionsPerLook && i < directories.size(); ++i) {
    if (at == directories.end()) at = directories.begin();
    auto osds = source_.copies(at->second);
    if (!osds.has_value()) {
      asked = Fail(std::move(osds).error());
      break;
    }
    (*copies)[at->first] = *std::move(osds);
    ++at;
  }
  next_ = at == directories.end() ? PartitionId() : at->first;
  copies_.Store(std::move(copies));
  return asked;
}

std::vector<uint32_t> StoreWatch::CopiesOf(PartitionId partition) const {
  const auto copies = copies_.Load();
  const auto found = copies->find(partition);
  return found == copies->end() ? std::vector<uint32_t>() : found->second;
}

}  // namespace orrery::server
