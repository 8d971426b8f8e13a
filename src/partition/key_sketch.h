// A KeySketch finds the heaviest keys of a stream in bounded memory: the hottest logical partitions
// by request units, or the largest by bytes.
//
// Space-Saving: it watches `capacity` keys; an unwatched key takes the place of the lightest and
// inherits its weight as possible error. So a reported weight is never too low, the error it
// carries says how much too high it may be, and every key that has more than total / capacity is
// watched. With a half-life all weights fade, and the sketch follows what is heavy now.
//
// Memory: at most `capacity` keys. Not thread-safe: guard it, or keep one per thread and Merge.
// Time comes in as an argument; without a half-life it is not examined.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/clock.h"

namespace orrery::partition {

struct KeySketchOptions {
  size_t capacity = 64;
  std::optional<Micros> half_life = std::nullopt;  // none = weights stay
};

// The true weight lies between weight - error and weight.
struct WeightedKey {
  std::string key;
  double weight = 0;
  double error = 0;
};

class KeySketch {
 public:
  // REQUIRES: capacity >= 1, half_life > 0.
  explicit KeySketch(KeySketchOptions options);
  KeySketch(KeySketch&&) = default;
  KeySketch& operator=(KeySketch&&) = default;

  // REQUIRES: weight >= 0.
  void Add(std::string_view key, double weight, Micros now);
  // Takes weight away again, as a delete does from a partition's bytes. Reported weights stay upper
  // bounds; the promise about total / capacity is for streams that only add.
  void Subtract(std::string_view key, double weight, Micros now);

  // The heaviest watched keys, heaviest first, at most `count`.
  std::vector<WeightedKey> Top(size_t count, Micros now) const;
  // Weight of all keys together.
  double Total(Micros now) const;
  // No unwatched key weighs more than this.
  double ErrorBound(Micros now) const;
  size_t size() const { return entries_.size(); }

  // Adds what `other` saw of a different part of the stream; all promises hold for the whole.
  // REQUIRES: the same options.
  void Merge(const KeySketch& other, Micros now);

 private:
  // Weights are kept as they would be at landmark_, so that fading costs nothing until read.
  struct Entry {
    std::string key;
    double weight = 0;
    double error = 0;
    size_t heap_position = 0;
  };

  double ScaleAt(Micros now) const;
  void MoveLandmark(Micros now);
  void AddScaled(std::string_view key, double weight);
  void Rebuild(std::vector<Entry> entries);
  void Sift(size_t position);
  void Place(size_t position, size_t entry);

  KeySketchOptions options_;
  Micros landmark_{0};
  double total_ = 0;
  double floor_ = 0;            // the most that a key had when it lost its place; 0 until full
  std::vector<Entry> entries_;  // never grows beyond its reservation: index_ points into it
  std::vector<size_t> heap_;    // of entries_, lightest at the root
  std::unordered_map<std::string_view, size_t> index_;  // key -> entry
};

}  // namespace orrery::partition
