// The Profiler records commands of the databases that ask for it, for those who look for slow ones
// in `system.profile`.
//
// Records are kept in memory, by database, up to kProfileBytesMax: the oldest go first. They are
// those of this node since it started. Thread-safe.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/mongo/language/match/matcher.h"
#include "base/clock.h"
#include "base/mutex.h"
#include "model/document/document.h"

namespace orrery::mongo {

inline constexpr std::string_view kProfileCollection = "system.profile";
inline constexpr size_t kProfileBytesMax = size_t{1} << 20;  // of one database
inline constexpr size_t kProfiledDatabasesMax = 1'000;

struct ProfileSettings {
  int level = 0;  // 0: nothing; 1: what is slow; 2: everything
  int64_t slow_ms = 100;
  double sample_rate = 1;
  MatcherPtr filter = nullptr;  // of records: instead of slow_ms and sample_rate; null: none
};

class Profiler {
 public:
  // slow_ms, sample_rate and filter are those of all databases, as in MongoDB.
  ProfileSettings SettingsOf(std::string_view database) const EXCLUDES(mutex_);
  // Returns what they were. Beyond kProfiledDatabasesMax a database is not profiled.
  ProfileSettings Set(const std::string& database, const ProfileSettings& settings)
      EXCLUDES(mutex_);

  // Returns whether any database is profiled: one look at an atomic.
  bool is_on() const { return profiled_.load(std::memory_order_relaxed) > 0; }
  // Returns whether a command of this duration is to be recorded. `sample` is a number in [0, 1).
  bool Wants(std::string_view database, Micros took, double sample) const EXCLUDES(mutex_);
  void Add(std::string_view database, model::Document record) EXCLUDES(mutex_);

  // The records of a database, the oldest first; nullopt for one that was never profiled.
  std::optional<std::vector<model::Document>> Records(std::string_view database) const
      EXCLUDES(mutex_);
  // Forgets them. False if there are none.
  bool Drop(std::string_view database) EXCLUDES(mutex_);

 private:
  struct Profile {
    int level = 0;
    std::deque<model::Document> records;
    size_t bytes = 0;
  };

  std::atomic<int> profiled_{0};
  mutable Mutex mutex_;
  ProfileSettings common_ GUARDED_BY(mutex_);  // without the level
  std::map<std::string, Profile, std::less<>> profiles_ GUARDED_BY(mutex_);
};

}  // namespace orrery::mongo
