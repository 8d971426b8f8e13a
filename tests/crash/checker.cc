#include "crash/checker.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <thread>

#include "crash/documents.h"
#include "crash/state_check.h"
#include "crash/version_check.h"

namespace orrery::crash {
namespace {

// Maintenance runs every second, and what it has to count is little; on a busy Ceph it takes its
// time.
constexpr std::chrono::milliseconds kCountPatience{60'000};
constexpr std::chrono::milliseconds kCountPause{100};

constexpr std::string_view kRingBegin = "00000000000000000000000000000000";
constexpr std::string_view kRingLast = "FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF";

// The position after one in hexadecimal digits.
std::string Next(std::string hex) {
  for (size_t i = hex.size(); i-- > 0;) {
    if (hex[i] != 'F') {
      hex[i] = hex[i] == '9' ? 'A' : static_cast<char>(hex[i] + 1);
      break;
    }
    hex[i] = '0';
  }
  return hex;
}

// Items that cannot expire before `until_us`.
State Lasting(const State& state, uint64_t until_us) {
  State lasting;
  for (const auto& [key, stored] : state) {
    if (!stored.expires_us || *stored.expires_us > until_us) lasting.emplace(key, stored);
  }
  return lasting;
}

}  // namespace

Violations ServerChecker::Run(std::deque<ContainerModel>& containers, CatalogModel& catalog,
                              bool thorough) {
  const auto names = admin_.ListContainers();
  if (!names.has_value()) return {names.error().ToString()};
  Note("catalog", catalog.Check({names->begin(), names->end()}));
  for (const std::string& name : *names) CheckRanges(name);
  for (ContainerModel& container : containers) {
    const std::string& name = container.traits().name;
    if (container.traits().own_partitions) {
      const auto throughput = admin_.GetThroughput(name);
      if (!throughput.has_value()) {
        Note(name, throughput.error());
      } else {
        Note(name, catalog.CheckThroughput(name, *throughput));
      }
    }
    CheckContainer(container, thorough);
  }
  return std::move(violations_);
}

void ServerChecker::Note(std::string_view where, const Violations& found) {
  for (const std::string& violation : found)
    violations_.push_back(fmt::format("{}: {}", where, violation));
}

void ServerChecker::CheckRanges(const std::string& name) {
  const auto ranges = admin_.Ranges(name);
  if (!ranges.has_value()) return Note(name, ranges.error());
  counts_.ranges += ranges->size();
  std::string expected(kRingBegin);
  for (size_t i = 0; i < ranges->size(); ++i) {
    const RangeRow& row = (*ranges)[i];
    if (row.begin != expected) {
      Note(name,
           Violations{fmt::format("the ring is not covered once: a range begins at {}, not at {}",
                                  row.begin, expected)});
    }
    expected = Next(row.last);
  }
  if (ranges->empty() || ranges->back().last != kRingLast)
    Note(name, Violations{"the ring is not covered to its end"});
}

void ServerChecker::CheckContainer(ContainerModel& container, bool thorough) {
  const std::string& name = container.traits().name;
  const uint64_t began_us = NowMicros();
  auto state = admin_.Scan(name);
  if (!state.has_value()) return Note(name, state.error());
  counts_.items += state->size();
  Note(name, CheckState(container.history(), *state, began_us, NowMicros()));
  CheckFeeds(container, *state);
  CheckIndex(container, *state);
  if (thorough && !container.traits().expires) CheckItemCount(container, *state);
  container.Rebase(*std::move(state));
}

void ServerChecker::CheckFeeds(ContainerModel& container, const State& state) {
  const std::string& name = container.traits().name;
  CheckLatest(container, "", {}, state);
  if (!container.latest_position.empty()) {
    CheckLatest(container, container.latest_position, container.latest_position_state, state);
  }
  if (!container.traits().keeps_versions) return;
  auto versions = admin_.ReadFeed(name, "allVersions", container.versions_position);
  if (!versions.has_value()) return Note(name, versions.error());
  counts_.changes += versions->changes.size();
  Note(name, CheckVersions(container.history(), versions->changes, state));
  container.versions_position = std::move(versions->continuation);
}

// A latest-version feed from a position that was taken when `before` was stored tells each item
// that changed since and is still there, once.
void ServerChecker::CheckLatest(const ContainerModel& container, const std::string& position,
                                const State& before, const State& state) {
  const std::string& name = container.traits().name;
  const auto read = admin_.ReadFeed(name, "latest", position);
  if (!read.has_value()) return Note(name, read.error());
  std::map<Key, uint64_t> told;
  for (const Change& change : read->changes) {
    if (!told.emplace(change.key, change.lsn).second) {
      Note(name, Violations{fmt::format("{}: the latest feed tells it twice", Name(change.key))});
    }
  }
  for (const auto& [key, stored] : Lasting(state, NowMicros())) {
    const auto old = before.find(key);
    const bool changed = old == before.end() || old->second.lsn != stored.lsn;
    const auto found = told.find(key);
    if (changed && (found == told.end() || found->second != stored.lsn)) {
      Note(name, Violations{fmt::format("{}: the latest feed does not tell its change at {}",
                                        Name(key), stored.lsn)});
    }
    if (!changed && found != told.end()) {
      Note(name, Violations{fmt::format("{}: the latest feed tells it, and it has not changed",
                                        Name(key))});
    }
  }
  for (const auto& [key, lsn] : told) {
    if (!state.contains(key))
      Note(name,
           Violations{fmt::format("{}: the latest feed tells it, and it is not there", Name(key))});
  }
}

void ServerChecker::CheckIndex(const ContainerModel& container, const State& state) {
  const std::string& name = container.traits().name;
  State by_index;
  for (int bucket = 0; bucket < kBuckets; bucket += 3) {
    const auto found = admin_.Scan(
        name, fmt::format(R"("index":{{"path":"/bucket","lower":{},"upper":{}}})", bucket, bucket));
    if (!found.has_value()) return Note(name, found.error());
    for (const auto& [key, stored] : *found) {
      const auto real = state.find(key);
      if (real == state.end() || real->second != stored || BucketOf(stored.value.token) != bucket) {
        Note(name, Violations{fmt::format("{}: the index shows '{}', the scan does not", Name(key),
                                          stored.value.token)});
      }
    }
    for (const auto& [key, stored] : Lasting(state, NowMicros())) {
      if (BucketOf(stored.value.token) == bucket && !found->contains(key)) {
        Note(name, Violations{
                       fmt::format("{}: '{}' is not in the index", Name(key), stored.value.token)});
      }
    }
  }
}

void ServerChecker::CheckItemCount(const ContainerModel& container, const State& state) {
  const std::string& name = container.traits().name;
  const auto began = std::chrono::steady_clock::now();
  const auto deadline = began + kCountPatience;
  uint64_t items = 0;
  while (std::chrono::steady_clock::now() < deadline) {
    const auto ranges = admin_.Ranges(name);
    if (!ranges.has_value()) return Note(name, ranges.error());
    items = 0;
    for (const RangeRow& row : *ranges) items += row.items;
    if (items == state.size()) {
      const auto took = std::chrono::steady_clock::now() - began;
      counts_.counting_max = std::max(counts_.counting_max,
                                      std::chrono::duration_cast<std::chrono::milliseconds>(took));
      return;
    }
    std::this_thread::sleep_for(kCountPause);
  }
  Note(name, Violations{fmt::format("{} items are counted, {} are there", items, state.size())});
}

}  // namespace orrery::crash
