#include "server/state/data_states.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <future>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <system_error>

#include "base/bytes.h"
#include "base/log.h"
#include "cluster/record/partition_record.h"
#include "gateway/catalog/catalog_codec.h"
#include "server/state/linked_copy.h"

namespace orrery::server {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSnapshotHeader = "orrery snapshot 1\n";
constexpr std::string_view kUnfinished = ".new";
// Of the system store: what belongs to a state. The last ids handed out do not, so that none is
// handed out twice.
constexpr std::string_view kStatePrefixes[] = {"ct/", "db/", "pt/", "tr/"};
constexpr std::string_view kTrimMarks = "tr/";
constexpr Micros kAheadMax = std::chrono::hours(24 * 366 * 100);
constexpr int kCheckpointAttempts = 5;

bool IsSnapshotName(std::string_view name) {
  if (name.empty() || name.size() > kSnapshotNameBytesMax || name[0] == '.') return false;
  return std::ranges::all_of(name,
                             [](unsigned char c) {
                               return std::isalnum(c) != 0 || c == '-' || c == '_' || c == '.';
                             }) &&
         !name.ends_with(kUnfinished);
}

// The key of the same record of another partition.
std::string TrimMarkOf(PartitionId id) {
  std::string key(kTrimMarks);
  AppendBigEndian(key, id.value());
  return key;
}

void AppendSized(std::string& out, std::string_view bytes) {
  AppendBigEndian(out, static_cast<uint32_t>(bytes.size()));
  out += bytes;
}
bool TakeSized(std::string_view& in, std::string& bytes) {
  if (in.size() < sizeof(uint32_t)) return false;
  const auto size = LoadBigEndian<uint32_t>(in.data());
  in.remove_prefix(sizeof size);
  if (in.size() < size) return false;
  bytes = in.substr(0, size);
  in.remove_prefix(size);
  return true;
}

// Holds back the writes of all partitions while it lives.
class PausedPartitions {
 public:
  explicit PausedPartitions(std::shared_ptr<const cluster::Topology> topology)
      : topology_(std::move(topology)) {
    for (const auto& [id, partition] : topology_->hosted) partition->sequencer().Pause();
  }
  ~PausedPartitions() {
    for (const auto& [id, partition] : topology_->hosted) partition->sequencer().Resume();
  }
  PausedPartitions(const PausedPartitions&) = delete;
  PausedPartitions& operator=(const PausedPartitions&) = delete;

 private:
  const std::shared_ptr<const cluster::Topology> topology_;
};

// Removes a directory unless it is kept.
class Unfinished {
 public:
  explicit Unfinished(std::string path) : path_(std::move(path)) {}
  ~Unfinished() {
    std::error_code error;
    if (!path_.empty()) fs::remove_all(path_, error);
  }
  Unfinished(Unfinished&& other) noexcept : path_(std::exchange(other.path_, "")) {}
  Unfinished& operator=(Unfinished&&) = delete;
  void Keep() { path_.clear(); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace

// The right to change the state, which one call at a time has.
class DataStates::Turn {
 public:
  explicit Turn(std::atomic<bool>& busy) : busy_(&busy) {}
  ~Turn() {
    if (busy_ != nullptr) busy_->store(false);
  }
  Turn(Turn&& other) noexcept : busy_(std::exchange(other.busy_, nullptr)) {}
  Turn& operator=(Turn&&) = delete;

 private:
  std::atomic<bool>* busy_;
};

DataStates::DataStates(std::string data_directory, bool is_cluster, AdvancedClock& clock)
    : directory_(std::move(data_directory)), is_cluster_(is_cluster), clock_(clock) {}

void DataStates::Connect(gateway::Core& core) {
  core_ = &core;
  std::error_code error;
  fs::directory_iterator entries(directory_ + "/snapshots", error);
  for (; !error && entries != fs::directory_iterator(); entries.increment(error)) {
    if (entries->path().string().ends_with(kUnfinished)) {
      std::error_code ignored;
      fs::remove_all(entries->path(), ignored);
    }
  }
}

Result<DataStates::Turn> DataStates::TakeTurn() {
  if (is_cluster_) {
    return Fail(
        Code::kUnsupported,
        "resets and snapshots are for a single machine: the data of a cluster is in a pool");
  }
  if (busy_.exchange(true)) {
    return Fail(Code::kPreconditionFailed,
                "another reset, snapshot or restore is under way; try again when it is done");
  }
  return Turn(busy_);
}

std::string DataStates::PathOf(std::string_view name) const {
  return fmt::format("{}/snapshots/{}", directory_, name);
}

Result<DataStates::Entries> DataStates::ReadEntries() const {
  Entries entries;
  for (const std::string_view prefix : kStatePrefixes) {
    ORRERY_TRY(core_->system().ForEach(prefix,
                                       [&](std::string_view key, std::string_view value) -> Status {
                                         entries.emplace_back(key, value);
                                         return {};
                                       }));
  }
  return entries;
}

Status DataStates::Reset() {
  ORRERY_ASSIGN(const Turn turn, TakeTurn());
  return Replace({}, {});
}

Result<DataStates::Entries> DataStates::CheckpointAll(const std::string& path) const {
  for (int attempt = 0; attempt < kCheckpointAttempts; ++attempt) {
    const auto topology = core_->node().topology();
    // What is in memory goes to table files while writes go on, so that the pause is short.
    for (const auto& [id, partition] : topology->hosted) ORRERY_TRY(partition->engine().Flush());
    ORRERY_ASSIGN(const Entries before, ReadEntries());
    {
      const PausedPartitions paused(topology);
      std::vector<std::future<Status>> checkpoints;
      std::error_code error;
      fs::create_directories(path + "/partitions", error);
      for (const auto& [id, partition] : topology->hosted) {
        checkpoints.push_back(std::async(std::launch::async, [&path, partition] {
          return partition->engine().CheckpointTo(
              fmt::format("{}/partitions/{}", path, partition->id().value()));
        }));
      }
      Status failed;
      for (auto& checkpoint : checkpoints) {
        if (Status made = checkpoint.get(); !made.has_value()) failed = std::move(made);
      }
      ORRERY_TRY(std::move(failed));
      // Databases, containers and partitions may have changed meanwhile: then these are not all of
      // one moment.
      ORRERY_ASSIGN(const Entries after, ReadEntries());
      if (after == before && core_->node().topology() == topology) return before;
    }
    std::error_code error;
    fs::remove_all(path, error);
  }
  return Fail(Code::kPreconditionFailed,
              "databases, containers or partitions are being changed all the time; try again when "
              "that is done");
}

Status DataStates::WriteSnapshot(const std::string& path, const Snapshot& snapshot) const {
  std::string bytes(kSnapshotHeader);
  AppendBigEndian(bytes, snapshot.taken_at.count());
  for (const auto& [key, value] : snapshot.entries) {
    AppendSized(bytes, key);
    AppendSized(bytes, value);
  }
  std::ofstream out(path + "/SYSTEM", std::ios::binary);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  out.close();
  if (!out)
    return Fail(Code::kResourceExhausted, fmt::format("the snapshot '{}' cannot be written", path));
  ORRERY_TRY(SyncPath(path + "/SYSTEM"));
  return SyncPath(path);
}

Result<DataStates::Snapshot> DataStates::ReadSnapshot(std::string_view name) const {
  const std::string path = PathOf(name);
  std::error_code error;
  if (!IsSnapshotName(name) || !fs::exists(path + "/SYSTEM", error))
    return Fail(Code::kNotFound, fmt::format("there is no snapshot '{}'", name));
  std::ifstream in(path + "/SYSTEM", std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  std::string_view rest = bytes;
  const auto damaged = [&] {
    return Fail(Code::kCorruption, fmt::format("the snapshot '{}' is damaged", name));
  };
  if (!rest.starts_with(kSnapshotHeader)) return damaged();
  rest.remove_prefix(kSnapshotHeader.size());
  if (rest.size() < sizeof(int64_t)) return damaged();
  Snapshot snapshot;
  snapshot.taken_at = Micros(LoadBigEndian<int64_t>(rest.data()));
  rest.remove_prefix(sizeof(int64_t));
  while (!rest.empty()) {
    auto& [key, value] = snapshot.entries.emplace_back();
    if (!TakeSized(rest, key) || !TakeSized(rest, value)) return damaged();
  }
  return snapshot;
}

Status DataStates::TakeSnapshot(std::string_view name, bool replaces) {
  if (!IsSnapshotName(name)) {
    return Fail(Code::kInvalidArgument,
                fmt::format("'{}' is no name of a snapshot: letters, digits, - _ and ., at most {}",
                            name, kSnapshotNameBytesMax));
  }
  ORRERY_ASSIGN(const Turn turn, TakeTurn());
  std::error_code error;
  const std::string path = PathOf(name);
  const bool is_there = fs::exists(path, error);
  if (is_there && !replaces)
    return Fail(Code::kAlreadyExists, fmt::format("there is a snapshot '{}' already", name));
  fs::create_directories(directory_ + "/snapshots", error);
  const auto count = std::distance(fs::directory_iterator(directory_ + "/snapshots", error), {});
  if (!is_there && static_cast<size_t>(count) >= kSnapshotsMax)
    return Fail(Code::kResourceExhausted, fmt::format("more than {} snapshots", kSnapshotsMax));

  Unfinished made(path + std::string(kUnfinished));
  fs::remove_all(made.path(), error);
  Snapshot snapshot{.taken_at = clock_.Now(), .entries = {}};
  ORRERY_ASSIGN(snapshot.entries, CheckpointAll(made.path()));
  ORRERY_TRY(WriteSnapshot(made.path(), snapshot));
  if (is_there) fs::remove_all(path, error);
  fs::rename(made.path(), path, error);
  if (error) {
    return Fail(Code::kForbidden,
                fmt::format("the snapshot '{}' cannot be kept: {}", name, error.message()));
  }
  made.Keep();
  return SyncPath(directory_ + "/snapshots");
}

Status DataStates::RestoreSnapshot(std::string_view name) {
  ORRERY_ASSIGN(const Turn turn, TakeTurn());
  ORRERY_ASSIGN(const Snapshot snapshot, ReadSnapshot(name));
  cluster::SystemChange change;
  Entries entries;
  std::vector<Unfinished> linked;
  std::map<PartitionId, PartitionId> renamed;
  for (const auto& [key, value] : snapshot.entries) {
    if (!key.starts_with(cluster::kPartitionRecordPrefix)) continue;
    ORRERY_ASSIGN(cluster::PartitionRecord record, cluster::DecodePartitionRecord(value));
    const PartitionId former = record.id;
    do {
      ORRERY_ASSIGN(const uint64_t id, core_->system().NextId("partition", change));
      record.id = PartitionId(id);
    } while (fs::exists(fmt::format("{}/partitions/{}", directory_, record.id.value())));
    // Session tokens that clients hold are about what was written after the snapshot, too: nothing
    // descends from the partitions that they name.
    record.parents.clear();
    renamed.emplace(former, record.id);
    Unfinished& copy =
        linked.emplace_back(fmt::format("{}/partitions/{}", directory_, record.id.value()));
    ORRERY_TRY(
        CopyLinked(fmt::format("{}/partitions/{}", PathOf(name), former.value()), copy.path()));
    ORRERY_TRY(SyncTree(copy.path()));
    entries.emplace_back(cluster::PartitionRecordKey(record.id),
                         cluster::EncodePartitionRecord(record));
  }
  for (const auto& [former, now] : renamed) {
    const std::string mark = TrimMarkOf(former);
    for (const auto& [key, value] : snapshot.entries)
      if (key == mark) entries.emplace_back(TrimMarkOf(now), value);
  }
  for (const auto& [key, value] : snapshot.entries)
    if (key.starts_with("ct/") || key.starts_with("db/")) entries.emplace_back(key, value);
  ORRERY_TRY(SyncPath(directory_ + "/partitions"));
  const Status replaced = Replace(entries, std::move(change));
  // After an error it may not be known whether the commit reached the disk: the next start decides.
  if (replaced.has_value() || replaced.error().code() != Code::kMoved)
    for (Unfinished& copy : linked) copy.Keep();
  return replaced;
}

Status DataStates::Replace(const Entries& entries, cluster::SystemChange change) const {
  ORRERY_ASSIGN(const Entries former, ReadEntries());
  std::map<std::string, std::string> next(entries.begin(), entries.end());
  for (const auto& [key, value] : former)
    if (!next.contains(key)) change.Delete(key);
  for (const auto& [key, value] : next) change.Put(key, value);
  // Changes that others make meanwhile are refused, and so is this one after theirs.
  ORRERY_ASSIGN(const auto stored, core_->system().Get(gateway::kCatalogVersionKey));
  uint64_t version = 0;
  if (stored.has_value()) {
    ORRERY_ASSIGN(version, gateway::DecodeCatalogVersion(*stored));
  }
  change.Expect(gateway::kCatalogVersionKey, stored);
  change.Put(gateway::kCatalogVersionKey, gateway::EncodeCatalogVersion(version + 1));
  for (const auto& [key, value] : former)
    if (key.starts_with(cluster::kPartitionRecordPrefix)) change.Expect(key, value);
  ORRERY_TRY(core_->system().Commit(std::move(change)));
  core_->Follow();
  core_->node().WaitForBackground();
  core_->catalog().ResumeBuilds();
  return {};
}

Status DataStates::DropSnapshot(std::string_view name) {
  ORRERY_ASSIGN(const Turn turn, TakeTurn());
  std::error_code error;
  if (!IsSnapshotName(name) || !fs::exists(PathOf(name), error))
    return Fail(Code::kNotFound, fmt::format("there is no snapshot '{}'", name));
  // A name that the next start removes, should this be interrupted.
  const std::string leaving = PathOf(name) + std::string(kUnfinished);
  fs::remove_all(leaving, error);
  fs::rename(PathOf(name), leaving, error);
  if (!error) fs::remove_all(leaving, error);
  if (error) {
    return Fail(Code::kForbidden,
                fmt::format("the snapshot '{}' cannot be removed: {}", name, error.message()));
  }
  return {};
}

Result<std::vector<portal::SnapshotInfo>> DataStates::ListSnapshots() {
  std::vector<portal::SnapshotInfo> infos;
  std::error_code error;
  fs::directory_iterator entries(directory_ + "/snapshots", error);
  for (; !error && entries != fs::directory_iterator(); entries.increment(error)) {
    const std::string name = entries->path().filename().string();
    const auto snapshot = ReadSnapshot(name);
    if (!snapshot.has_value()) continue;
    infos.push_back({.name = name, .taken_at = snapshot->taken_at});
    for (const auto& [key, value] : snapshot->entries)
      if (key.starts_with(cluster::kPartitionRecordPrefix)) ++infos.back().partitions;
  }
  std::ranges::sort(infos, {}, &portal::SnapshotInfo::name);
  return infos;
}

portal::StateControl::Time DataStates::CurrentTime() {
  return {.now = clock_.Now(), .ahead = clock_.ahead()};
}

Result<portal::StateControl::Time> DataStates::AdvanceTime(Micros by) {
  if (is_cluster_)
    return Fail(Code::kUnsupported, "the time of a cluster is that of all of its nodes");
  if (by < Micros(0) || clock_.ahead() + by > kAheadMax) {
    return Fail(Code::kInvalidArgument, "the clock goes forward only, by a hundred years in all");
  }
  clock_.Advance(by);
  return CurrentTime();
}

}  // namespace orrery::server
