// A KeyChooser chooses the next row: uniformly, by Zipf's law, or one after the other (to load a
// table).
//
// Zipf's exponent is 0.99, the usual one of cloud benchmarks; ranks are scattered over the keys so
// that hot rows are not neighbours. The same seed gives the same rows. Not thread-safe.
#pragma once

#include <cstdint>

namespace orrery::bench {

// Small and fast; good enough to pick rows.
class LoadRandom {
 public:
  explicit LoadRandom(uint64_t seed) : state_(seed) {}
  uint64_t Next();
  double NextUnit();                   // [0, 1)
  uint64_t NextBelow(uint64_t limit);  // REQUIRES: limit > 0

 private:
  uint64_t state_;
};

// Ranks 1 to n, rank k with weight k^-exponent, by rejection from the integral's inverse: constant
// time and memory for any n.
class ZipfRanks {
 public:
  static constexpr double kExponent = 0.99;

  explicit ZipfRanks(uint64_t count);  // REQUIRES: count > 0
  uint64_t Next(LoadRandom& random) const;

 private:
  uint64_t count_;
  double first_;      // integral at 1.5, less the first rank's weight
  double last_;       // integral at count + 0.5
  double threshold_;  // how near to its rank a sample is taken at once
};

class KeyChooser {
 public:
  static KeyChooser Uniform(uint64_t keys, uint64_t seed);
  static KeyChooser Zipf(uint64_t keys, uint64_t seed);
  static KeyChooser Sequence(uint64_t first, uint64_t step);

  uint64_t Next();

 private:
  enum class Kind : uint8_t { kUniform, kZipf, kSequence };
  KeyChooser(Kind kind, uint64_t keys, uint64_t seed);

  const Kind kind_;
  const uint64_t keys_;
  const ZipfRanks ranks_;
  LoadRandom random_;
  uint64_t next_ = 0;  // kSequence
  uint64_t step_ = 1;
};

}  // namespace orrery::bench
