#include "partition/rate/throughput.h"

#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "base/check.h"

namespace orrery::partition {
namespace {

constexpr int64_t CeilDivide(int64_t number, int64_t by) { return (number + by - 1) / by; }

struct KindRules {
  std::string_view name;
  int64_t rate_min;
  int64_t rate_step;
};

KindRules RulesFor(ThroughputKind kind, const Limits& limits) {
  if (kind == ThroughputKind::kAutoscale) {
    return {"autoscale maximum throughput", limits.autoscale_rate_min, limits.autoscale_rate_step};
  }
  return {"throughput", limits.manual_rate_min, limits.manual_rate_step};
}

}  // namespace

Status ValidateThroughput(const ThroughputSettings& throughput, const Limits& limits) {
  const int64_t rate = throughput.request_units_per_second;
  if (throughput.kind == ThroughputKind::kNone) {
    if (rate == 0) return {};
    return Fail(Code::kInvalidArgument, "a container without provisioned throughput has no RU/s");
  }
  const KindRules rules = RulesFor(throughput.kind, limits);
  const auto fail = [&](std::string text) {
    return Fail(Code::kInvalidArgument, fmt::format("{} of {} RU/s {}", rules.name, rate, text));
  };
  if (rate < rules.rate_min) {
    // The second sentence is Azure Cosmos DB's, which tests of its clients look for.
    return fail(fmt::format(
        "is too low: ask for at least {1} RU/s. Requested throughput {0} is less than required "
        "minimum throughput {1}",
        rate, rules.rate_min));
  }
  if (rate > limits.rate_max) {
    return fail(fmt::format("is too high: the most is {} RU/s", limits.rate_max));
  }
  if (rate % rules.rate_step != 0) {
    const int64_t below = rate - rate % rules.rate_step;
    return fail(fmt::format("is not a multiple of {}: ask for {} or {} RU/s", rules.rate_step,
                            std::max(below, rules.rate_min), below + rules.rate_step));
  }
  return {};
}

Result<ContainerKind> ClassifyContainer(bool has_partition_key,
                                        const ThroughputSettings& throughput, bool shared,
                                        const Limits& limits) {
  ORRERY_TRY(ValidateThroughput(throughput, limits));
  const int64_t rate = throughput.request_units_per_second;
  const bool metered = throughput.kind != ThroughputKind::kNone;
  if (has_partition_key && (!metered || rate >= limits.unlimited_rate_min)) {
    return ContainerKind::kUnlimited;
  }
  // A shared rate is not the container's own: it can use what one partition carries of it.
  if (!shared && rate > limits.fixed_rate_max) {
    return Fail(Code::kInvalidArgument,
                fmt::format("throughput of {} RU/s is too high for a fixed container: ask for at "
                            "most {} RU/s, or give the container a partition key",
                            rate, limits.fixed_rate_max));
  }
  return ContainerKind::kFixed;
}

uint32_t PartitionCountFor(const ThroughputSettings& throughput, const Limits& limits) {
  const int64_t count =
      CeilDivide(throughput.request_units_per_second, limits.physical_partition_rate_max);
  return static_cast<uint32_t>(std::max<int64_t>(1, count));
}

RequestUnits RatePerPartition(const ThroughputSettings& throughput, uint32_t partitions) {
  ORRERY_CHECK(partitions >= 1);
  const int64_t hundredths = RequestUnits::Whole(throughput.request_units_per_second).hundredths();
  return RequestUnits::FromHundredths(CeilDivide(hundredths, partitions));
}

int64_t MinimumThroughput(ThroughputKind kind, const ThroughputHistory& history,
                          const Limits& limits) {
  if (kind == ThroughputKind::kNone) return 0;
  const KindRules rules = RulesFor(kind, limits);
  const bool autoscale = kind == ThroughputKind::kAutoscale;
  const int64_t per_gigabyte = autoscale ? 10 : 1;
  const int64_t part_of_highest = autoscale ? 10 : 100;
  const int64_t per_extra_container = rules.rate_step;

  const auto gigabytes = static_cast<int64_t>((history.storage_bytes + kGigabyte - 1) / kGigabyte);
  const int64_t extra_containers =
      std::max<int64_t>(0, history.containers_sharing - limits.shared_containers_free);
  const int64_t least =
      std::max({rules.rate_min + extra_containers * per_extra_container, gigabytes * per_gigabyte,
                CeilDivide(history.highest_rate_ever, part_of_highest)});
  return CeilDivide(least, rules.rate_step) * rules.rate_step;
}

Status ValidateThroughputChange(const ThroughputSettings& wanted, const ThroughputHistory& history,
                                const Limits& limits) {
  ORRERY_TRY(ValidateThroughput(wanted, limits));
  const int64_t least = MinimumThroughput(wanted.kind, history, limits);
  if (wanted.request_units_per_second >= least) return {};
  return Fail(
      Code::kInvalidArgument,
      fmt::format("throughput of {} RU/s is below the minimum of {} RU/s for what is stored "
                  "and was provisioned here",
                  wanted.request_units_per_second, least));
}

}  // namespace orrery::partition
