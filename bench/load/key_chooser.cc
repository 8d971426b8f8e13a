#include "load/key_chooser.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"

namespace orrery::bench {
namespace {

// The mixing function of splitmix64.
uint64_t Scatter(uint64_t value) {
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
  value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
  return value ^ (value >> 31);
}

// The integral of x^-exponent from 1 to x, and its inverse.
double Integral(double x) {
  constexpr double kRest = 1 - ZipfRanks::kExponent;
  return std::expm1(kRest * std::log(x)) / kRest;
}
double InverseIntegral(double y) {
  constexpr double kRest = 1 - ZipfRanks::kExponent;
  return std::exp(std::log1p(std::max(-1.0, y * kRest)) / kRest);
}
double Weight(double x) { return std::exp(-ZipfRanks::kExponent * std::log(x)); }

}  // namespace

uint64_t LoadRandom::Next() {
  state_ += 0x9e3779b97f4a7c15;
  return Scatter(state_);
}

double LoadRandom::NextUnit() { return static_cast<double>(Next() >> 11) * 0x1p-53; }

uint64_t LoadRandom::NextBelow(uint64_t limit) {
  ORRERY_CHECK(limit > 0);
  return static_cast<uint64_t>((static_cast<unsigned __int128>(Next()) * limit) >> 64);
}

ZipfRanks::ZipfRanks(uint64_t count)
    : count_(count),
      first_(Integral(1.5) - 1),
      last_(Integral(static_cast<double>(count) + 0.5)),
      threshold_(2 - InverseIntegral(Integral(2.5) - Weight(2))) {
  ORRERY_CHECK(count > 0);
}

uint64_t ZipfRanks::Next(LoadRandom& random) const {
  while (true) {  // each round ends with probability > 0.7
    const double y = last_ + random.NextUnit() * (first_ - last_);
    const double x = InverseIntegral(y);
    const double rank = std::clamp(std::round(x), 1.0, static_cast<double>(count_));
    if (rank - x <= threshold_ || y >= Integral(rank + 0.5) - Weight(rank)) {
      return static_cast<uint64_t>(rank);
    }
  }
}

KeyChooser::KeyChooser(Kind kind, uint64_t keys, uint64_t seed)
    : kind_(kind), keys_(keys), ranks_(keys), random_(seed) {}

KeyChooser KeyChooser::Uniform(uint64_t keys, uint64_t seed) {
  return {Kind::kUniform, keys, seed};
}

KeyChooser KeyChooser::Zipf(uint64_t keys, uint64_t seed) { return {Kind::kZipf, keys, seed}; }

KeyChooser KeyChooser::Sequence(uint64_t first, uint64_t step) {
  KeyChooser chooser(Kind::kSequence, 1, 0);
  chooser.next_ = first;
  chooser.step_ = step;
  return chooser;
}

uint64_t KeyChooser::Next() {
  switch (kind_) {
    case Kind::kUniform:
      return random_.NextBelow(keys_);
    case Kind::kZipf:
      return Scatter(ranks_.Next(random_)) % keys_;
    case Kind::kSequence:
      break;
  }
  const uint64_t key = next_;
  next_ += step_;
  return key;
}

}  // namespace orrery::bench
