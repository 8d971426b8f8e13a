// A KeyPopulation is where the load and the bytes of a container lie on the ring: some keys by name
// that stand out, and the many others as a smooth rest.
//
// Keys are hashed as the SQL API hashes them, so that listed keys lie where a real container would
// have them. A key beyond the `named_max` heaviest is so light that only its share of the ring
// counts; without that no simulation could hold the keys of ten thousand containers.
//
// Immutable. Questions about a range take O(log named keys).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/hash128.h"
#include "cluster/simulation/key_list.h"
#include "partition/split_planner.h"

namespace orrery::cluster {

// Parts of the container's whole, 0 to 1.
struct KeyShare {
  double load = 0;
  double bytes = 0;
};

struct NamedKey {
  std::string name;
  KeyShare share;
};

class KeyPopulation {
 public:
  // `keys` of equal weight. `salt` decides where they lie. REQUIRES: keys >= 1.
  static KeyPopulation Even(uint64_t keys, uint64_t salt, size_t named_max);
  // The weight of the n-th key is n^-exponent. REQUIRES: keys >= 1, exponent >= 0.
  static KeyPopulation Zipf(uint64_t keys, double exponent, uint64_t salt, size_t named_max);
  // REQUIRES: keys that ParseKeyList could have made.
  static KeyPopulation Listed(std::span<const ListedKey> keys);

  // The part of the ring on which keys fall.
  static partition::HashRange UsedSpan();

  KeyShare ShareOf(const partition::HashRange& range) const;
  // Returns whether all that lies in `range` is of one named key: nothing to cut. Keys without name
  // are taken to lie evenly, so that a small enough range has none.
  bool IsSoleKey(const partition::HashRange& range) const;
  // For ChooseCut, when the whole container holds `bytes`.
  std::vector<partition::KeySample> SampleBytes(const partition::HashRange& range,
                                                double bytes) const;
  // The named keys with the largest shares in the container, largest first.
  std::vector<NamedKey> Hottest(size_t count) const;
  std::vector<NamedKey> Largest(size_t count) const;

 private:
  struct Key {
    Hash128 hash;
    uint64_t rank;  // from 1; or an index into names_, from 0
    KeyShare share;
  };

  explicit KeyPopulation(std::vector<std::string> names) : names_(std::move(names)) {}

  // Sorts keys_ by position and sums them up.
  void Settle();
  std::span<const Key> KeysIn(const partition::HashRange& range) const;
  std::string NameOf(const Key& key) const;
  std::vector<NamedKey> Top(size_t count, double KeyShare::* measure) const;

  std::vector<std::string> names_;  // of listed keys; others are named by their rank
  std::vector<Key> keys_;           // by hash
  std::vector<KeyShare> through_;   // of keys_ up to and including each
  double smooth_ = 0;               // load and bytes of all keys without name
  double unnamed_ = 0;              // how many keys those are
};

}  // namespace orrery::cluster
