#include "partition/placement/load_scale.h"

#include <functional>
#include <numeric>
#include <vector>

#include "base/check.h"

namespace orrery::partition {
namespace {

constexpr double kStandingPart = 0.1;

double RequestRate(const OwnedPartition& partition) { return std::max(0.0, partition.rate); }
double StoredBytes(const OwnedPartition& partition) { return static_cast<double>(partition.bytes); }

// The fair part of one node when each share that exceeds it has a node of its own. `shares` are
// parts of the whole.
double FairPart(std::vector<double> shares, size_t node_count) {
  const size_t large_max = std::min(node_count, shares.size());
  std::ranges::partial_sort(shares, shares.begin() + static_cast<std::ptrdiff_t>(large_max),
                            std::greater<>());
  double rest = 1;
  for (size_t large = 0; large < large_max; ++large) {
    const double fair = rest / static_cast<double>(node_count - large);
    if (shares[large] <= fair) return fair;
    rest -= shares[large];
  }
  return shares[large_max - 1];
}

}  // namespace

template <typename Amount>
LoadScale::Measure LoadScale::MeasureOf(std::span<const OwnedPartition> partitions,
                                        size_t node_count, Amount amount) {
  if (partitions.empty()) return {};
  double total = 0;
  for (const OwnedPartition& partition : partitions) total += amount(partition);
  const double by_number = total > 0 ? kStandingPart : 1;
  Measure share{.factor = total > 0 ? (1 - by_number) / total : 0,
                .standing = by_number / static_cast<double>(partitions.size())};
  std::vector<double> shares;
  shares.reserve(partitions.size());
  for (const OwnedPartition& partition : partitions) shares.push_back(share.Of(amount(partition)));
  const double fair = FairPart(std::move(shares), node_count);
  return {share.factor / fair, share.standing / fair};
}

LoadScale::LoadScale(std::span<const OwnedPartition> partitions, size_t node_count) {
  ORRERY_CHECK(node_count >= 1);
  rate_ = MeasureOf(partitions, node_count, RequestRate);
  bytes_ = MeasureOf(partitions, node_count, StoredBytes);
}

Load LoadScale::Of(const OwnedPartition& partition) const {
  return {rate_.Of(RequestRate(partition)), bytes_.Of(StoredBytes(partition))};
}

}  // namespace orrery::partition
