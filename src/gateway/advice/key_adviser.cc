#include "gateway/advice/key_adviser.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <unordered_map>

#include "gateway/catalog/parse_paths.h"
#include "model/document/json.h"
#include "model/path/path.h"

namespace orrery::gateway {
namespace {

// Below these shares of what they are shares of a key is not worth having.
constexpr double kFilledMin = 0.9;
constexpr double kOnePartitionMin = 0.5;
// A key that has so much of the load is never split, whatever the rate is.
constexpr double kLoadShareMax = 0.5;
// Keys for each partition that there will be: fewer cannot be spread evenly.
constexpr uint64_t kKeysPerPartitionMin = 4;
constexpr uint64_t kKeysMin = 8;
// The newest items, whose keys are taken for those that are being written.
constexpr double kNewestShare = 0.05;
constexpr size_t kNewestMin = 40;
// A key must be seen so often among them to be more than chance.
constexpr size_t kSeenMin = 8;
constexpr size_t kChosenPathsMax = 8;
constexpr size_t kValueBytesMax = 256;

using Paths = std::vector<model::Path>;

// The value of a key as text; nullopt when a part of it is missing.
std::optional<std::string> KeyTextOf(const Paths& paths, size_t buckets,
                                     model::DocumentView document) {
  std::string text;
  for (const model::Path& path : paths) {
    const model::Value value = path.Get(document);
    const bool is_key = value.kind() != model::Kind::kUndefined &&
                        value.kind() != model::Kind::kArray && value.kind() != model::Kind::kObject;
    if (!is_key) return std::nullopt;
    if (!text.empty()) text += ',';
    text += model::ToJson(value);
  }
  if (buckets > 0) return std::to_string(std::hash<std::string>()(text) % buckets);
  return text;
}

struct KeyUse {
  size_t items = 0;
  uint64_t bytes = 0;
};

// The findings of the sample about one key.
struct Tally {
  std::unordered_map<std::string, KeyUse> keys;
  size_t filled = 0;
  std::string largest;
  KeyUse largest_use;
  std::string hottest;
  double load_share = 0;
};

Tally TallyOf(const AdviceQuestion& question, const std::vector<size_t>& newest, const Paths& paths,
              size_t buckets) {
  Tally tally;
  for (const AdvisedItem& item : question.sample) {
    const auto key = KeyTextOf(paths, buckets, item.document);
    if (!key.has_value()) continue;
    ++tally.filled;
    KeyUse& use = tally.keys[*key];
    ++use.items;
    use.bytes += item.document.bson().size();
  }
  size_t most = 0;
  for (const auto& [key, use] : tally.keys) {
    if (use.bytes > tally.largest_use.bytes ||
        (use.bytes == tally.largest_use.bytes && key < tally.largest)) {
      tally.largest = key;
      tally.largest_use = use;
    }
    if (use.items > most || (use.items == most && key < tally.hottest)) {
      most = use.items;
      tally.hottest = key;
    }
  }
  tally.load_share = static_cast<double>(most) / static_cast<double>(question.sample.size());
  std::unordered_map<std::string, size_t> recent;
  for (const size_t place : newest) {
    const auto key = KeyTextOf(paths, buckets, question.sample[place].document);
    if (!key.has_value()) continue;
    const size_t seen = ++recent[*key];
    const double share = static_cast<double>(seen) / static_cast<double>(newest.size());
    if (seen >= kSeenMin && share > tally.load_share) {
      tally.load_share = share;
      tally.hottest = *key;
    }
  }
  return tally;
}

// Chao's estimate of how many there are, by how many were seen once and twice.
uint64_t DistinctOf(const Tally& tally, size_t sampled, uint64_t items_total) {
  const uint64_t seen = tally.keys.size();
  if (items_total <= sampled || tally.filled == 0) return seen;
  double once = 0;
  double twice = 0;
  for (const auto& [key, use] : tally.keys) {
    once += use.items == 1 ? 1 : 0;
    twice += use.items == 2 ? 1 : 0;
  }
  const double scale = static_cast<double>(items_total) / static_cast<double>(sampled);
  const double most = static_cast<double>(seen) * scale;
  // All different, as ids are: there are as many as items.
  if (once == static_cast<double>(tally.filled)) return static_cast<uint64_t>(most);
  const double unseen = once * (once - 1) / (2 * (twice + 1));
  return static_cast<uint64_t>(std::min(static_cast<double>(seen) + unseen, most));
}

uint64_t PartitionsFor(const AdviceQuestion& question, double bytes, double rate) {
  double count = 1;
  if (question.partition_bytes_max > 0)
    count = std::max(count, std::ceil(bytes / static_cast<double>(question.partition_bytes_max)));
  if (question.partition_rate_max > 0)
    count = std::max(count, std::ceil(rate / question.partition_rate_max));
  return static_cast<uint64_t>(count);
}

// The share of requests, by charge, that a key sends to one partition: those that name all of it,
// or of a hierarchical key its first level.
std::optional<double> OnePartitionShare(const CandidateKey& key,
                                        const std::vector<AdvisedStatements>& statements) {
  double all = 0;
  double in_one = 0;
  for (const AdvisedStatements& statement : statements) {
    all += statement.charge;
    const auto names = [&](const std::string& path) {
      return std::ranges::find(statement.equal_paths, path) != statement.equal_paths.end();
    };
    const bool is_in_one = key.kind == CandidateKey::Kind::kHierarchical
                               ? names(key.paths.front())
                               : std::ranges::all_of(key.paths, names);
    if (is_in_one) in_one += statement.charge;
  }
  if (all <= 0) return std::nullopt;
  return in_one / all;
}

std::string Percent(double share) {
  const double percent = share * 100;
  return percent < 10 ? fmt::format("{:.1f} %", percent) : fmt::format("{:.0f} %", percent);
}

std::string Shown(std::string value) {
  if (value.size() > kValueBytesMax) {
    value.resize(kValueBytesMax);
    value += "...";
  }
  return "[" + value + "]";
}

void Judge(const AdviceQuestion& question, double load_share, CandidateAdvice& advice) {
  const auto say = [&](std::string verdict, std::string reason) {
    advice.verdict = std::move(verdict);
    advice.reason = std::move(reason);
  };
  const double load_then = load_share * question.rate * question.load_factor;
  const bool is_over_rate =
      question.partition_rate_max > 0 && load_then > question.partition_rate_max;
  if (advice.filled < kFilledMin) {
    return say("sparse", fmt::format("{} of the items have no value there, and would all be one "
                                     "logical partition",
                                     Percent(1 - advice.filled)));
  }
  const uint64_t needed = std::max(kKeysMin, kKeysPerPartitionMin * advice.partitions_then);
  if (advice.distinct < needed) {
    return say("too few", fmt::format("there are {} values, too few to spread over {} partitions",
                                      advice.distinct, advice.partitions_then));
  }
  if (load_share > kLoadShareMax || is_over_rate) {
    return say("hot key", fmt::format("{} takes {} of the load, and a logical partition is never "
                                      "split",
                                      advice.hottest, Percent(load_share)));
  }
  if (advice.largest_share * question.data_factor > 1) {
    return say("too large",
               fmt::format("{} would have {} of what a logical partition may hold, with {:g} times "
                           "the data",
                           advice.largest, Percent(advice.largest_share * question.data_factor),
                           question.data_factor));
  }
  if (advice.one_partition.has_value() && *advice.one_partition < kOnePartitionMin) {
    return say("scatters", fmt::format("only {} of the requests, by their charge, name it: the "
                                       "others ask every partition",
                                       Percent(*advice.one_partition)));
  }
  say("good", advice.one_partition.has_value()
                  ? fmt::format("data and load are spread, and {} of the requests stay in one "
                                "partition",
                                Percent(*advice.one_partition))
                  : "data and load are spread evenly");
}

// The best of the good ones: most requests in one partition, then the least busy key, then the
// shortest.
void PickBest(std::vector<CandidateAdvice>& advice) {
  const auto rank = [](const CandidateAdvice& each) {
    // Differences within a hundredth are chance.
    return std::tuple(-std::round(each.one_partition.value_or(0) * 100),
                      std::round(each.hottest_share * 100) + std::round(each.largest_share * 100),
                      each.key.paths.size());
  };
  CandidateAdvice* best = nullptr;
  for (CandidateAdvice& each : advice) {
    if (each.verdict == "good" && (best == nullptr || rank(each) < rank(*best))) best = &each;
  }
  if (best != nullptr) best->verdict = "best";
}

bool IsOfTheServer(std::string_view name) { return name.starts_with('_'); }

// Properties at the top that most items have and that tell them apart, those that requests name
// first.
std::vector<std::string> ChoosePaths(const AdviceQuestion& question) {
  std::map<std::string, std::pair<size_t, std::set<std::string>>> seen;
  constexpr size_t kDistinctCounted = 64;
  for (const AdvisedItem& item : question.sample) {
    for (const model::ElementView field : item.document.view()) {
      const bool is_plain = field.kind() != model::Kind::kObject &&
                            field.kind() != model::Kind::kArray &&
                            field.kind() != model::Kind::kNull;
      if (!is_plain || IsOfTheServer(field.name())) continue;
      auto& [count, values] = seen[std::string(field.name())];
      ++count;
      if (values.size() < kDistinctCounted) values.insert(model::ToJson(field.ToValue()));
    }
  }
  std::map<std::string, double, std::less<>> named;
  for (const AdvisedStatements& statement : question.statements)
    for (const std::string& path : statement.equal_paths) named[path] += statement.charge;
  std::vector<std::pair<double, std::string>> ranked;
  for (const auto& [name, facts] : seen) {
    const auto& [count, values] = facts;
    if (count * 2 < question.sample.size() || values.size() < 2) continue;
    const std::string path = "/" + name;
    if (!model::Path::Parse(path).has_value()) continue;
    const auto charge = named.find(path);
    ranked.emplace_back(
        charge == named.end() ? -static_cast<double>(values.size()) * 1e-6 : -charge->second - 1,
        path);
  }
  std::ranges::sort(ranked);
  std::vector<std::string> paths;
  for (const auto& [rank, path] : ranked)
    if (paths.size() < kChosenPathsMax) paths.push_back(path);
  return paths;
}

std::vector<CandidateKey> ChooseCandidates(const AdviceQuestion& question) {
  std::vector<CandidateKey> candidates;
  const auto add = [&](CandidateKey key) {
    if (candidates.size() < kAdvisedCandidatesMax &&
        std::ranges::find(candidates, key) == candidates.end())
      candidates.push_back(std::move(key));
  };
  using Kind = CandidateKey::Kind;
  if (question.today.size() == 1) add({.kind = Kind::kSingle, .paths = question.today});
  if (question.today.size() > 1) add({.kind = Kind::kHierarchical, .paths = question.today});
  const std::vector<std::string> paths = ChoosePaths(question);
  for (const std::string& path : paths) add({.kind = Kind::kSingle, .paths = {path}});
  // Two levels, and two joined: the first is what requests name.
  for (size_t first = 0; first < std::min<size_t>(paths.size(), 3); ++first) {
    for (const std::string& second : paths) {
      if (second == paths[first]) continue;
      add({.kind = Kind::kHierarchical, .paths = {paths[first], second}});
    }
  }
  for (size_t first = 0; first < std::min<size_t>(paths.size(), 2); ++first) {
    for (size_t second = first + 1; second < std::min<size_t>(paths.size(), 4); ++second)
      add({.kind = Kind::kSynthetic, .paths = {paths[first], paths[second]}});
  }
  return candidates;
}

}  // namespace

std::string CandidateKey::Name() const {
  switch (kind) {
    case Kind::kSingle:
      return fmt::format("{}", fmt::join(paths, ", "));
    case Kind::kSynthetic:
      if (buckets > 0) return fmt::format("{} in {} buckets", fmt::join(paths, " + "), buckets);
      return fmt::format("{}", fmt::join(paths, " + "));
    case Kind::kHierarchical:
      break;
  }
  return fmt::format("{} ({} levels)", fmt::join(paths, ", "), paths.size());
}

Result<std::vector<CandidateAdvice>> AdviseKeys(const AdviceQuestion& question) {
  const size_t sampled = question.sample.size();
  if (sampled == 0)
    return Fail(Code::kInvalidArgument, "there are no items to judge keys by: store some first");
  const uint64_t items = std::max<uint64_t>(question.items_total, sampled);
  uint64_t sample_bytes = 0;
  for (const AdvisedItem& item : question.sample) sample_bytes += item.document.bson().size();
  const double scale = static_cast<double>(items) / static_cast<double>(sampled);
  const double bytes = question.bytes_total > 0 ? static_cast<double>(question.bytes_total)
                                                : static_cast<double>(sample_bytes) * scale;
  // The newest items, if it is known when they were written.
  std::vector<size_t> newest(sampled);
  std::iota(newest.begin(), newest.end(), size_t{0});
  std::ranges::sort(newest, std::greater(),
                    [&](size_t place) { return question.sample[place].time_ms; });
  newest.resize(std::min(
      sampled,
      std::max(kNewestMin, static_cast<size_t>(static_cast<double>(sampled) * kNewestShare))));
  const bool has_times =
      question.sample[newest.front()].time_ms != question.sample[newest.back()].time_ms ||
      std::ranges::any_of(question.sample, [&](const AdvisedItem& item) {
        return item.time_ms != question.sample.front().time_ms;
      });
  if (!has_times) newest.clear();

  std::vector<CandidateAdvice> advice;
  const std::vector<CandidateKey> candidates =
      question.candidates.empty() ? ChooseCandidates(question) : question.candidates;
  if (candidates.size() > kAdvisedCandidatesMax) {
    return Fail(Code::kInvalidArgument,
                fmt::format("at most {} keys are compared", kAdvisedCandidatesMax));
  }
  for (const CandidateKey& key : candidates) {
    ORRERY_ASSIGN(const Paths paths, ParsePaths(key.paths));
    if (paths.empty()) return Fail(Code::kInvalidArgument, "a key has one path at least");
    const Tally tally = TallyOf(question, newest, paths, key.buckets);
    CandidateAdvice& each = advice.emplace_back();
    each.key = key;
    each.is_today = key.paths == question.today && key.kind != CandidateKey::Kind::kSynthetic;
    each.filled = static_cast<double>(tally.filled) / static_cast<double>(sampled);
    each.distinct = key.buckets > 0 ? std::min<uint64_t>(key.buckets, tally.keys.size())
                                    : DistinctOf(tally, sampled, items);
    each.largest = Shown(tally.largest);
    each.hottest = Shown(tally.hottest);
    // One item of a key says nothing of how many it has.
    const double largest_bytes = tally.largest_use.items > 1
                                     ? static_cast<double>(tally.largest_use.bytes) /
                                           static_cast<double>(sample_bytes) * bytes
                                     : static_cast<double>(tally.largest_use.bytes);
    if (question.logical_partition_bytes_max > 0) {
      each.largest_share =
          largest_bytes / static_cast<double>(question.logical_partition_bytes_max);
    }
    const bool has_rate = question.rate > 0 && question.partition_rate_max > 0;
    each.hottest_share = has_rate ? tally.load_share * question.rate / question.partition_rate_max
                                  : tally.load_share;
    each.partitions_now = PartitionsFor(question, bytes, question.rate);
    each.partitions_then =
        PartitionsFor(question, bytes * question.data_factor, question.rate * question.load_factor);
    each.one_partition = OnePartitionShare(key, question.statements);
    Judge(question, tally.load_share, each);
  }
  PickBest(advice);
  return advice;
}

}  // namespace orrery::gateway
