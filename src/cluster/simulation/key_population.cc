#include "cluster/simulation/key_population.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/check.h"
#include "model/value.h"
#include "partition/key/partition_key.h"

namespace orrery::cluster {
namespace {

constexpr auto kHashing = partition::KeyHashing::kV2;
// Positions at which the smooth rest of a range is sampled.
constexpr size_t kSmoothSamples = 64;

Hash128 HashOfText(std::string text) {
  const std::array key{model::Value::String(std::move(text))};
  const auto hash = partition::HashOf(kHashing, key);
  ORRERY_CHECK(hash.has_value());  // every string has one
  return *hash;
}

std::string NameOfRank(uint64_t rank) { return fmt::format("key-{}", rank); }

Hash128 HashOfRank(uint64_t salt, uint64_t rank) {
  return HashOfText(fmt::format("{}/{}", salt, NameOfRank(rank)));
}

// The sum of n^-exponent for n in (from, to], by the integral over the steps' middles: within a
// thousandth from a hundred on.
double TailSum(uint64_t from, uint64_t to, double exponent) {
  if (from >= to) return 0;
  const double a = static_cast<double>(from) + 0.5;
  const double b = static_cast<double>(to) + 0.5;
  if (std::fabs(exponent - 1) < 1e-9) return std::log(b / a);
  return (std::pow(b, 1 - exponent) - std::pow(a, 1 - exponent)) / (1 - exponent);
}

}  // namespace

KeyPopulation KeyPopulation::Even(uint64_t keys, uint64_t salt, size_t named_max) {
  // Many equal keys differ from a smooth ring by nothing that matters; few are all named.
  if (keys <= named_max) return Zipf(keys, 0, salt, named_max);
  KeyPopulation population({});
  population.smooth_ = 1;
  population.unnamed_ = static_cast<double>(keys);
  return population;
}

KeyPopulation KeyPopulation::Zipf(uint64_t keys, double exponent, uint64_t salt, size_t named_max) {
  ORRERY_CHECK(keys >= 1 && exponent >= 0);
  KeyPopulation population({});
  const uint64_t named = std::min<uint64_t>(keys, named_max);
  double sum = 0;
  for (uint64_t rank = 1; rank <= named; ++rank) {
    const double weight = std::pow(static_cast<double>(rank), -exponent);
    population.keys_.push_back({HashOfRank(salt, rank), rank, {weight, weight}});
    sum += weight;
  }
  const double tail = TailSum(named, keys, exponent);
  population.smooth_ = tail / (sum + tail);
  population.unnamed_ = static_cast<double>(keys - named);
  for (Key& key : population.keys_) {
    key.share.load /= sum + tail;
    key.share.bytes = key.share.load;
  }
  population.Settle();
  return population;
}

KeyPopulation KeyPopulation::Listed(std::span<const ListedKey> keys) {
  double weights = 0;
  double bytes = 0;
  std::vector<std::string> names;
  for (const ListedKey& key : keys) {
    weights += key.weight;
    bytes += key.bytes;
    names.push_back(key.key);
  }
  ORRERY_CHECK(weights > 0);
  KeyPopulation population(std::move(names));
  for (size_t i = 0; i < keys.size(); ++i) {
    const double load = keys[i].weight / weights;
    population.keys_.push_back(
        {HashOfText(keys[i].key), i, {load, bytes > 0 ? keys[i].bytes / bytes : load}});
  }
  population.Settle();
  return population;
}

partition::HashRange KeyPopulation::UsedSpan() { return partition::UsedSpan(kHashing); }

void KeyPopulation::Settle() {
  std::ranges::sort(keys_, {}, &Key::hash);
  KeyShare through;
  for (const Key& key : keys_) {
    through.load += key.share.load;
    through.bytes += key.share.bytes;
    through_.push_back(through);
  }
}

std::span<const KeyPopulation::Key> KeyPopulation::KeysIn(const partition::HashRange& range) const {
  const auto first = std::ranges::lower_bound(keys_, range.begin(), {}, &Key::hash);
  const auto after = std::ranges::upper_bound(first, keys_.end(), range.last(), {}, &Key::hash);
  return {first, after};
}

KeyShare KeyPopulation::ShareOf(const partition::HashRange& range) const {
  KeyShare share;
  if (const auto keys = KeysIn(range); !keys.empty()) {
    const size_t first = static_cast<size_t>(keys.data() - keys_.data());
    const KeyShare before = first == 0 ? KeyShare() : through_[first - 1];
    const KeyShare through = through_[first + keys.size() - 1];
    share = {through.load - before.load, through.bytes - before.bytes};
  }
  if (const auto used = range.Intersect(UsedSpan()); smooth_ > 0 && used.has_value()) {
    const double part = smooth_ * used->RingFraction() / UsedSpan().RingFraction();
    share.load += part;
    share.bytes += part;
  }
  return share;
}

bool KeyPopulation::IsSoleKey(const partition::HashRange& range) const {
  const auto used = range.Intersect(UsedSpan());
  if (!used.has_value() || KeysIn(range).size() != 1) return false;
  return unnamed_ * used->RingFraction() / UsedSpan().RingFraction() < 1;
}

std::vector<partition::KeySample> KeyPopulation::SampleBytes(const partition::HashRange& range,
                                                             double bytes) const {
  struct Piece {
    Hash128 hash;
    double share;
  };
  std::vector<Piece> pieces;
  for (const Key& key : KeysIn(range)) pieces.push_back({key.hash, key.share.bytes});
  if (const auto used = range.Intersect(UsedSpan()); smooth_ > 0 && used.has_value()) {
    const double part = smooth_ * used->RingFraction() / UsedSpan().RingFraction();
    const double positions = used->RingFraction() * 0x1p128;
    const auto steps = partition::DivideEvenly(
        *used, positions < kSmoothSamples ? 1 : static_cast<uint32_t>(kSmoothSamples));
    for (const partition::HashRange& step : steps)
      pieces.push_back(
          {std::max(step.begin(), used->begin()), part / static_cast<double>(steps.size())});
  }
  std::ranges::sort(pieces, {}, &Piece::hash);
  std::vector<partition::KeySample> samples;
  double through = 0;
  for (const Piece& piece : pieces) {
    through += piece.share * bytes;
    samples.push_back({piece.hash, static_cast<uint64_t>(through)});
  }
  return samples;
}

std::string KeyPopulation::NameOf(const Key& key) const {
  return names_.empty() ? NameOfRank(key.rank) : names_[key.rank];
}

std::vector<NamedKey> KeyPopulation::Top(size_t count, double KeyShare::* measure) const {
  std::vector<const Key*> keys;
  for (const Key& key : keys_) keys.push_back(&key);
  const size_t kept = std::min(count, keys.size());
  std::ranges::partial_sort(keys, keys.begin() + static_cast<std::ptrdiff_t>(kept),
                            [measure](const Key* a, const Key* b) {
                              const double a_share = a->share.*measure;
                              const double b_share = b->share.*measure;
                              return a_share != b_share ? a_share > b_share : a->rank < b->rank;
                            });
  std::vector<NamedKey> top;
  for (size_t i = 0; i < kept; ++i) top.push_back({NameOf(*keys[i]), keys[i]->share});
  return top;
}

std::vector<NamedKey> KeyPopulation::Hottest(size_t count) const {
  return Top(count, &KeyShare::load);
}

std::vector<NamedKey> KeyPopulation::Largest(size_t count) const {
  return Top(count, &KeyShare::bytes);
}

}  // namespace orrery::cluster
