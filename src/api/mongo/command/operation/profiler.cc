#include "api/mongo/command/operation/profiler.h"

#include <chrono>
#include <utility>

namespace orrery::mongo {

ProfileSettings Profiler::SettingsOf(std::string_view database) const {
  MutexLock lock(mutex_);
  ProfileSettings settings = common_;
  if (const auto found = profiles_.find(database); found != profiles_.end())
    settings.level = found->second.level;
  return settings;
}

ProfileSettings Profiler::Set(const std::string& database, const ProfileSettings& settings) {
  MutexLock lock(mutex_);
  ProfileSettings before = std::exchange(common_, settings);
  before.level = 0;
  auto found = profiles_.find(database);
  if (found == profiles_.end()) {
    if (settings.level == 0 || profiles_.size() >= kProfiledDatabasesMax) return before;
    found = profiles_.emplace(database, Profile()).first;
  }
  before.level = std::exchange(found->second.level, settings.level);
  int profiled = 0;
  for (const auto& [name, profile] : profiles_) profiled += profile.level > 0 ? 1 : 0;
  profiled_.store(profiled, std::memory_order_relaxed);
  return before;
}

bool Profiler::Wants(std::string_view database, Micros took, double sample) const {
  MutexLock lock(mutex_);
  const auto found = profiles_.find(database);
  if (found == profiles_.end() || found->second.level == 0) return false;
  if (found->second.level == 2 || common_.filter != nullptr) return true;
  return took > std::chrono::milliseconds(common_.slow_ms) && sample < common_.sample_rate;
}

void Profiler::Add(std::string_view database, model::Document record) {
  MatcherPtr filter;
  {
    MutexLock lock(mutex_);
    filter = common_.filter;
  }
  if (filter != nullptr && !filter->Matches(record).value_or(false)) return;
  MutexLock lock(mutex_);
  const auto found = profiles_.find(database);
  if (found == profiles_.end()) return;
  Profile& profile = found->second;
  profile.bytes += record.bson().size();
  profile.records.push_back(std::move(record));
  while (profile.bytes > kProfileBytesMax) {
    profile.bytes -= profile.records.front().bson().size();
    profile.records.pop_front();
  }
}

std::optional<std::vector<model::Document>> Profiler::Records(std::string_view database) const {
  MutexLock lock(mutex_);
  const auto found = profiles_.find(database);
  if (found == profiles_.end()) return std::nullopt;
  return std::vector<model::Document>(found->second.records.begin(), found->second.records.end());
}

bool Profiler::Drop(std::string_view database) {
  MutexLock lock(mutex_);
  const auto found = profiles_.find(database);
  if (found == profiles_.end()) return false;
  if (found->second.level == 0) {
    profiles_.erase(found);
  } else {
    found->second.records.clear();
    found->second.bytes = 0;
  }
  return true;
}

}  // namespace orrery::mongo
