// The rules of provisioned throughput: what may be asked for, what kind of container it makes, and
// how many physical partitions carry it.
//
// Pure. "T" is the throughput of a container or of a database whose containers share it, "t" what
// one physical partition can carry (Limits::physical_partition_rate_max).
#pragma once

#include <cstdint>

#include "base/request_units.h"
#include "base/status.h"
#include "partition/limits.h"

namespace orrery::partition {

// Stored in the catalog: never renumber one, only add.
enum class ThroughputKind : uint8_t {
  kNone = 0,       // serverless: unmetered, charges are reported and nothing is refused
  kManual = 1,     // exactly T
  kAutoscale = 2,  // between a tenth of T and T, billed by the highest second of each hour
};

struct ThroughputSettings {
  ThroughputKind kind = ThroughputKind::kNone;
  int64_t request_units_per_second = 0;  // the maximum, when kAutoscale; 0 when kNone

  static constexpr ThroughputSettings None() { return {}; }
  static constexpr ThroughputSettings Manual(int64_t rate) {
    return {ThroughputKind::kManual, rate};
  }
  static constexpr ThroughputSettings Autoscale(int64_t rate_max) {
    return {ThroughputKind::kAutoscale, rate_max};
  }
  friend bool operator==(const ThroughputSettings&, const ThroughputSettings&) = default;
};

// Checks that T is a permitted amount. kInvalidArgument says what to ask for instead.
Status ValidateThroughput(const ThroughputSettings& throughput, const Limits& limits);

enum class ContainerKind : uint8_t {
  kFixed = 0,      // one physical partition at most, 10 GB, never split
  kUnlimited = 1,  // as many as storage and throughput need
};

// The kind that a container gets. `shared` says that `throughput` is its database's. With a key
// and at least 1,000 RU/s, or unmetered, a container is unlimited however small it was meant to be.
// kInvalidArgument when T is invalid, or too much for the fixed container that it would be.
Result<ContainerKind> ClassifyContainer(bool has_partition_key,
                                        const ThroughputSettings& throughput, bool shared,
                                        const Limits& limits);

// max(1, ceil(T / t)). REQUIRES: valid throughput.
uint32_t PartitionCountFor(const ThroughputSettings& throughput, const Limits& limits);

// Returns the rate of each of `partitions`, T / N rounded up to a hundredth: together never less
// than T. Zero when unmetered. REQUIRES: partitions >= 1.
RequestUnits RatePerPartition(const ThroughputSettings& throughput, uint32_t partitions);

// The known state of a container or shared database whose throughput is to change.
struct ThroughputHistory {
  uint64_t storage_bytes = 0;
  int64_t highest_rate_ever = 0;
  int64_t containers_sharing = 0;  // 0 or 1 when not shared
};

// The least T that it may be lowered to: the largest of the limit, a rate per GB stored and a part
// of the highest rate ever, rounded up to a valid step. 0 for kNone.
int64_t MinimumThroughput(ThroughputKind kind, const ThroughputHistory& history,
                          const Limits& limits);

// ValidateThroughput, and not below MinimumThroughput.
Status ValidateThroughputChange(const ThroughputSettings& wanted, const ThroughputHistory& history,
                                const Limits& limits);

}  // namespace orrery::partition
