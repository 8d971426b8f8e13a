// A container under test together with what its clients were told: writes go to the core and into
// the history (crash/history.h), reads give the words in which the checks speak.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "crash/history.h"
#include "faults/core.h"
#include "gateway/catalog/container_settings.h"

namespace orrery::faults {

inline constexpr std::string_view kDatabase = "db";

// Returns whether the error promises that nothing was changed; otherwise the outcome is unknown.
bool PromisesNothing(Code code);

class TrackedContainer {
 public:
  explicit TrackedContainer(gateway::ContainerSettings settings) : settings_(std::move(settings)) {}

  // Says whether it should exist: certain, or left open by an interrupted create or drop.
  enum class Existence { kAbsent, kPresent, kUnknown };
  Existence existence() const { return existence_; }
  const std::string& name() const { return settings_.name; }
  bool keeps_versions() const { return settings_.feed_retention_minutes > 0; }
  const crash::History& history() const { return history_; }

  void Create(Core& core);
  void Drop(Core& core);
  void Change(Core& core, const gateway::ContainerSettings& settings);
  void SetThroughput(Core& core, partition::ThroughputSettings throughput);
  const gateway::ContainerSettings& settings() const { return settings_; }
  // Returns whether these are the settings last acknowledged, or ones whose outcome is unknown.
  bool MayHave(const gateway::ContainerSettings& found) const;

  // Submits all at once, so that they share a group, and waits.
  void Write(Core& core, std::vector<crash::Transaction> transactions);
  void Write(Core& core, crash::Write write) { Write(core, {{.writes = {std::move(write)}}}); }

  // By a scan over all pages; kCorruption when an item comes twice or is not whole.
  Result<crash::State> ReadAll(Core& core) const;
  // Checks that readers with the session tokens of acknowledged writes are served.
  Status CheckSession(Core& core) const;
  // By the index of /bucket, from 0 to kBuckets - 1.
  Result<crash::State> ReadByIndex(Core& core) const;

  struct FeedRead {
    std::vector<crash::Change> changes;
    std::string continuation;
  };
  Result<FeedRead> ReadFeed(Core& core, item::FeedMode mode, const std::string& continuation) const;

  // Takes what is stored now as certain; the history begins here. Feed positions are taken.
  Status Rebase(Core& core);
  const std::string& position(item::FeedMode mode) const {
    return mode == item::FeedMode::kLatestVersion ? latest_position_ : versions_position_;
  }

 private:
  Result<crash::State> ScanAll(Core& core, const gateway::ScanSpec& spec) const;

  void NoteChange(Core& core, const Status& outcome, gateway::ContainerSettings settings);

  gateway::ContainerSettings settings_;
  std::optional<gateway::ContainerSettings> maybe_settings_;
  Existence existence_ = Existence::kAbsent;
  crash::History history_;
  std::map<PartitionId, Lsn> positions_;  // that acknowledged writes were told
  std::string latest_position_;
  std::string versions_position_;
};

}  // namespace orrery::faults
