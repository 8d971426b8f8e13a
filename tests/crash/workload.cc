#include "crash/workload.h"

#include <fmt/format.h>

#include <chrono>
#include <random>

#include "crash/documents.h"

namespace orrery::crash {
namespace {

constexpr size_t kClients = 4;
constexpr int kLogicalPartitions = 40;
constexpr int kItemsEach = 5;
constexpr int kBatchMax = 4;
constexpr uint32_t kTtlMax = 3;

constexpr size_t kRangesMax = 8;  // of one container, before the operator only merges
constexpr int64_t kRateStep = 100'000;
constexpr int kRateSteps = 3;
constexpr int kPassingContainers = 3;
constexpr std::chrono::milliseconds kOperatorPause{5};

class Random {
 public:
  explicit Random(uint64_t seed) : engine_(seed) {}
  int Below(int bound) { return static_cast<int>(engine_() % static_cast<uint64_t>(bound)); }
  bool Chance(int percent) { return Below(100) < percent; }

 private:
  std::mt19937_64 engine_;
};

Outcome OutcomeOf(const Status& status) {
  if (status.has_value()) return Outcome::kAcknowledged;
  switch (status.error().code()) {
    case Code::kUnavailable:
    case Code::kInternal:
    case Code::kCorruption:
    case Code::kResourceExhausted:
      return Outcome::kUnknown;
    default:
      return Outcome::kRefused;
  }
}

// One connection that reads and writes items.
class Client {
 public:
  Client(uint16_t port, uint64_t seed, std::string label, WorkloadCounts& counts)
      : admin_(port), random_(seed), label_(std::move(label)), counts_(counts) {}

  // False when the server no longer answers.
  bool Step(ContainerModel& container) {
    const Key key = AnyKey();
    if (random_.Chance(25)) return Read(container, key);
    Transaction transaction;
    if (random_.Chance(15)) {
      transaction.writes = Batch(container, key);
    } else {
      transaction.writes = {Single(container, key)};
    }
    return Write(container, std::move(transaction));
  }

 private:
  Key AnyKey() {
    return {fmt::format("p{}", random_.Below(kLogicalPartitions)),
            fmt::format("i{}", random_.Below(kItemsEach))};
  }
  std::string Token() { return fmt::format("{}-{}", label_, next_token_++); }

  crash::Write Single(const ContainerModel& container, const Key& key) {
    const int dice = random_.Below(100);
    crash::Write write{
        .kind = WriteKind::kUpsert, .key = key, .token = "", .if_match = {}, .ttl_s = {}};
    if (dice < 20) {
      write.kind = WriteKind::kCreate;
    } else if (dice < 40) {
      write.kind = WriteKind::kReplace;
      if (random_.Chance(70)) write.if_match = container.LastSeen(key);
    } else if (dice < 55 && !container.traits().expires) {
      write.kind = WriteKind::kPatch;
      if (random_.Chance(30)) write.if_match = container.LastSeen(key);
    } else if (dice < 70) {
      write.kind = WriteKind::kDelete;
    }
    if (write.kind != WriteKind::kDelete) {
      write.token = Token();
      if (container.traits().expires && random_.Chance(60))
        write.ttl_s = 1 + random_.Below(kTtlMax);
    }
    return write;
  }

  // The first one has a token; each item once.
  std::vector<crash::Write> Batch(const ContainerModel& container, const Key& first) {
    std::vector<crash::Write> writes;
    const int size = 2 + random_.Below(kBatchMax - 1);
    for (int i = 0; i < size; ++i) {
      const Key key{first.partition, fmt::format("i{}", i)};
      crash::Write write{
          .kind = WriteKind::kUpsert, .key = key, .token = "", .if_match = {}, .ttl_s = {}};
      if (i > 0) write.kind = Single(container, key).kind;
      // A missing or present item would make most batches fail.
      if (write.kind == WriteKind::kCreate ||
          (write.kind != WriteKind::kUpsert && !container.LastSeen(key))) {
        write.kind = WriteKind::kUpsert;
      }
      if (write.kind != WriteKind::kDelete) write.token = Token();
      writes.push_back(std::move(write));
    }
    return writes;
  }

  bool Write(ContainerModel& container, Transaction transaction) {
    transaction.began_us = NowMicros();
    const size_t handle = container.Begin(transaction);
    const bool answered = admin_.Write(container.traits().name, transaction);
    container.End(handle, transaction);
    switch (transaction.outcome) {
      case Outcome::kAcknowledged:
        ++counts_.acknowledged;
        break;
      case Outcome::kRefused:
        ++counts_.refused;
        break;
      case Outcome::kUnknown:
        ++counts_.unknown;
        break;
    }
    return answered;
  }

  bool Read(ContainerModel& container, const Key& key) {
    crash::Read read{.key = key, .began_us = NowMicros(), .ended_us = 0, .found = std::nullopt};
    if (const Status status = admin_.Read(container.traits().name, read); !status.has_value()) {
      return status.error().code() != Code::kUnavailable;
    }
    ++counts_.reads;
    if (container.traits().keeps_versions) container.Add(std::move(read));
    return true;
  }

  AdminClient admin_;
  Random random_;
  const std::string label_;
  uint64_t next_token_ = 0;
  WorkloadCounts& counts_;
};

// The connection that changes partitions and the catalog.
class Operator {
 public:
  Operator(uint16_t port, uint64_t seed, std::deque<ContainerModel>& containers,
           CatalogModel& catalog, WorkloadCounts& counts)
      : admin_(port), random_(seed), containers_(containers), catalog_(catalog), counts_(counts) {}

  bool Step() {
    const int dice = random_.Below(100);
    if (dice < 15) return ChangeCatalog();
    const ContainerTraits& traits =
        containers_[static_cast<size_t>(random_.Below(static_cast<int>(containers_.size())))]
            .traits();
    if (!traits.own_partitions) return true;
    return dice < 25 ? ChangeThroughput(traits.name) : ChangePartitions(traits.name);
  }

 private:
  static bool Answered(const Status& status) { return OutcomeOf(status) != Outcome::kUnknown; }

  bool ChangePartitions(const std::string& container) {
    const auto ranges = admin_.Ranges(container);
    if (!ranges.has_value() || ranges->empty()) return ranges.has_value();
    const size_t at = static_cast<size_t>(random_.Below(static_cast<int>(ranges->size())));
    const bool merge = ranges->size() >= kRangesMax || (ranges->size() > 1 && random_.Chance(45));
    if (!merge) {
      const Status split = admin_.Split((*ranges)[at].partition);
      if (split.has_value()) ++counts_.splits;
      return Answered(split);
    }
    const size_t left = std::min(at, ranges->size() - 2);
    const Status merged = admin_.Merge((*ranges)[left].partition, (*ranges)[left + 1].partition);
    if (merged.has_value()) ++counts_.merges;
    return Answered(merged);
  }

  bool ChangeThroughput(const std::string& container) {
    const int64_t wanted = kRateStep * (1 + random_.Below(kRateSteps));
    catalog_.ThroughputBegan(container, wanted);
    const Status status = admin_.SetThroughput(container, wanted);
    catalog_.ThroughputEnded(container, wanted, OutcomeOf(status));
    if (status.has_value()) ++counts_.catalog_changes;
    return Answered(status);
  }

  bool ChangeCatalog() {
    const std::string name = fmt::format("passing-{}", random_.Below(kPassingContainers));
    const bool create = random_.Chance(50);
    catalog_.Began(name, create);
    const Status status = create
                              ? admin_.CreateContainer(fmt::format(
                                    R"({{"id":"{}","partitionKey":{{"paths":["/pk"]}}{}}})", name,
                                    random_.Chance(50) ? R"(,"throughput":{"manual":1000})" : ""))
                              : admin_.DropContainer(name);
    catalog_.Ended(name, create, OutcomeOf(status));
    if (status.has_value()) ++counts_.catalog_changes;
    return Answered(status);
  }

  AdminClient admin_;
  Random random_;
  std::deque<ContainerModel>& containers_;
  CatalogModel& catalog_;
  WorkloadCounts& counts_;
};

}  // namespace

Workload::Workload(uint16_t port, uint64_t seed, std::string label,
                   std::deque<ContainerModel>& containers, CatalogModel& catalog,
                   WorkloadCounts& counts)
    : port_(port),
      seed_(seed),
      label_(std::move(label)),
      containers_(containers),
      catalog_(catalog),
      counts_(counts) {
  for (size_t i = 0; i < kClients; ++i) threads_.emplace_back([this, i] { RunClient(i); });
  threads_.emplace_back([this] { RunOperator(); });
}

Workload::~Workload() = default;

void Workload::RunClient(size_t number) {
  Client client(port_, seed_ + number, fmt::format("{}-{}", label_, number), counts_);
  Random choice(seed_ + number + kClients + 1);
  while (!stopping_.load()) {
    ContainerModel& container =
        containers_[static_cast<size_t>(choice.Below(static_cast<int>(containers_.size())))];
    if (!client.Step(container)) return;
  }
}

void Workload::RunOperator() {
  Operator worker(port_, seed_ + kClients, containers_, catalog_, counts_);
  while (!stopping_.load() && worker.Step()) std::this_thread::sleep_for(kOperatorPause);
}

}  // namespace orrery::crash
