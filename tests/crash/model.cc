#include "crash/model.h"

#include <fmt/format.h>

namespace orrery::crash {

size_t ContainerModel::Begin(const Transaction& transaction) {
  MutexLock lock(mutex_);
  history_.transactions.push_back(transaction);
  return history_.transactions.size() - 1;
}

void ContainerModel::End(size_t handle, const Transaction& transaction) {
  MutexLock lock(mutex_);
  history_.transactions[handle] = transaction;
  if (transaction.outcome != Outcome::kAcknowledged) return;
  for (const Write& write : transaction.writes) {
    if (write.kind == WriteKind::kDelete) {
      seen_.erase(write.key);
    } else {
      seen_[write.key] = transaction.lsn;
    }
  }
}

void ContainerModel::Add(Read read) {
  MutexLock lock(mutex_);
  if (read.found) seen_[read.key] = read.found->lsn;
  history_.reads.push_back(std::move(read));
}

std::optional<uint64_t> ContainerModel::LastSeen(const Key& key) const {
  MutexLock lock(mutex_);
  const auto found = seen_.find(key);
  if (found == seen_.end()) return std::nullopt;
  return found->second;
}

void ContainerModel::Rebase(State state) {
  MutexLock lock(mutex_);
  seen_.clear();
  for (const auto& [key, stored] : state) seen_[key] = stored.lsn;
  history_ = {.before = std::move(state), .transactions = {}, .reads = {}};
}

void CatalogModel::Began(const std::string& container, bool created) {
  MutexLock lock(mutex_);
  containers_[container].maybe.insert(created);
}

void CatalogModel::Ended(const std::string& container, bool created, Outcome outcome) {
  if (outcome == Outcome::kUnknown) return;
  MutexLock lock(mutex_);
  Setting<bool>& setting = containers_[container];
  setting.maybe.erase(created);
  if (outcome == Outcome::kAcknowledged) setting = {created, {}};
}

void CatalogModel::ThroughputBegan(const std::string& container, int64_t wanted) {
  MutexLock lock(mutex_);
  throughput_[container].maybe.insert(wanted);
}

void CatalogModel::ThroughputEnded(const std::string& container, int64_t wanted, Outcome outcome) {
  if (outcome == Outcome::kUnknown) return;
  MutexLock lock(mutex_);
  Setting<int64_t>& setting = throughput_[container];
  setting.maybe.erase(wanted);
  if (outcome == Outcome::kAcknowledged) setting = {wanted, {}};
}

Violations CatalogModel::Check(const std::set<std::string>& found) {
  MutexLock lock(mutex_);
  Violations violations;
  for (auto& [name, setting] : containers_) {
    const bool there = found.contains(name);
    if (there != setting.certain && !setting.maybe.contains(there)) {
      violations.push_back(
          fmt::format("container {} {}", name, there ? "is back after its drop" : "is lost"));
    }
    setting = {there, {}};
  }
  for (const std::string& name : found) {
    if (!containers_.contains(name))
      violations.push_back(fmt::format("container {} was never made", name));
  }
  return violations;
}

Violations CatalogModel::CheckThroughput(const std::string& container, int64_t found) {
  MutexLock lock(mutex_);
  Setting<int64_t>& setting = throughput_[container];
  const bool right = found == setting.certain || setting.maybe.contains(found);
  const int64_t certain = setting.certain;
  setting = {found, {}};
  if (right) return {};
  return {fmt::format("container {} has {} RU/s, {} was acknowledged", container, found, certain)};
}

}  // namespace orrery::crash
