// A KeyAdviser compares partition keys that a container could have: how evenly data and load would
// be spread by each, whether its largest and hottest logical partitions stay within the limits, and
// how many requests would go to one partition alone.
//
// It judges by a sample of the items and by what requests name. The load of a key is taken for the
// share of items that have it, or of the newest ones where that is more: what was written last is
// what is being written.
//
// Pure: values in, advice out.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "model/document/document.h"

namespace orrery::gateway {

struct AdvisedItem {
  model::Document document;
  int64_t time_ms = 0;  // when it was written; 0: not known
};

// Requests that name these paths by equality, and what they cost together.
struct AdvisedStatements {
  std::vector<std::string> equal_paths;
  double charge = 0;
};

struct CandidateKey {
  enum class Kind : uint8_t { kSingle, kSynthetic, kHierarchical };
  Kind kind = Kind::kSingle;
  std::vector<std::string> paths;  // one; several that are joined; two or three levels
  size_t buckets = 0;              // of kSynthetic with one path: spread over so many; 0: joined

  // "/customer", "/customer + /month", "/id in 16 buckets", "/customer, /orderId (2 levels)"
  std::string Name() const;
  friend bool operator==(const CandidateKey&, const CandidateKey&) = default;
};

struct AdviceQuestion {
  std::vector<AdvisedItem> sample;
  uint64_t items_total = 0;  // of which the sample is; 0: the sample is all
  uint64_t bytes_total = 0;
  double rate = 0;  // RU/s that the container has or needs; 0: not known
  double data_factor = 10;
  double load_factor = 10;
  uint64_t logical_partition_bytes_max = 0;
  uint64_t partition_bytes_max = 0;
  double partition_rate_max = 0;
  std::vector<std::string> today;             // the key's paths; empty: none
  std::vector<CandidateKey> candidates;       // empty: the adviser chooses
  std::vector<AdvisedStatements> statements;  // empty: not known
};

struct CandidateAdvice {
  CandidateKey key;
  bool is_today = false;
  double filled = 0;         // share of items that have a value
  uint64_t distinct = 0;     // estimated
  std::string largest;       // the value, JSON
  double largest_share = 0;  // of the limit of a logical partition
  std::string hottest;
  double hottest_share =
      0;  // of the rate of a physical partition; of the load, if no rate is known
  uint64_t partitions_now = 1;
  uint64_t partitions_then = 1;         // with data and load times their factors
  std::optional<double> one_partition;  // share of requests, by charge
  std::string verdict;  // "best", "good", "hot key", "too large", "scatters", "too few", "sparse"
  std::string reason;   // one sentence
};

inline constexpr size_t kAdvisedCandidatesMax = 32;
inline constexpr size_t kAdvisedSampleMax = 200'000;

// In the order of the candidates; those that it chose by promise. kInvalidArgument for a path that
// is malformed, or a sample without items.
Result<std::vector<CandidateAdvice>> AdviseKeys(const AdviceQuestion& question);

}  // namespace orrery::gateway
