#include "partition/key_sketch.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/check.h"

namespace orrery::partition {
namespace {

// Weights are brought back to the present before their scale outgrows a double's exponent.
constexpr double kHalfLivesMax = 500;

}  // namespace

KeySketch::KeySketch(KeySketchOptions options) : options_(options) {
  ORRERY_CHECK(options_.capacity >= 1);
  ORRERY_CHECK(!options_.half_life.has_value() || options_.half_life->count() > 0);
  entries_.reserve(options_.capacity);
  heap_.reserve(options_.capacity);
  index_.reserve(options_.capacity);
}

double KeySketch::ScaleAt(Micros now) const {
  if (!options_.half_life.has_value()) return 1;
  return std::exp2(static_cast<double>((now - landmark_).count()) /
                   static_cast<double>(options_.half_life->count()));
}

void KeySketch::MoveLandmark(Micros now) {
  if (!options_.half_life.has_value()) return;
  if (entries_.empty()) {
    landmark_ = now;
    return;
  }
  const double half_lives = static_cast<double>((now - landmark_).count()) /
                            static_cast<double>(options_.half_life->count());
  if (half_lives <= kHalfLivesMax) return;
  const double fade = std::exp2(-half_lives);
  for (Entry& entry : entries_) {
    entry.weight *= fade;
    entry.error *= fade;
  }
  total_ *= fade;
  floor_ *= fade;
  landmark_ = now;
}

void KeySketch::Add(std::string_view key, double weight, Micros now) {
  ORRERY_CHECK(weight >= 0);
  MoveLandmark(now);
  AddScaled(key, weight * ScaleAt(now));
}

void KeySketch::AddScaled(std::string_view key, double weight) {
  total_ += weight;
  if (const auto found = index_.find(key); found != index_.end()) {
    Entry& entry = entries_[found->second];
    entry.weight += weight;
    Sift(entry.heap_position);
    return;
  }
  if (entries_.size() < options_.capacity) {
    const size_t at = entries_.size();
    entries_.push_back({std::string(key), weight, 0, at});
    heap_.push_back(at);
    index_.emplace(entries_[at].key, at);
    Sift(at);
    return;
  }
  const size_t lightest = heap_.front();
  Entry& entry = entries_[lightest];
  index_.erase(entry.key);
  floor_ = std::max(floor_, entry.weight);
  entry.key = key;
  entry.weight = floor_ + weight;
  entry.error = floor_;
  index_.emplace(entry.key, lightest);
  Sift(0);
}

void KeySketch::Subtract(std::string_view key, double weight, Micros now) {
  ORRERY_CHECK(weight >= 0);
  MoveLandmark(now);
  const double scaled = weight * ScaleAt(now);
  total_ = std::max(0.0, total_ - scaled);
  const auto found = index_.find(key);
  if (found == index_.end()) return;
  Entry& entry = entries_[found->second];
  entry.weight = std::max(0.0, entry.weight - scaled);
  entry.error = std::min(entry.error, entry.weight);
  Sift(entry.heap_position);
}

std::vector<WeightedKey> KeySketch::Top(size_t count, Micros now) const {
  std::vector<const Entry*> order;
  order.reserve(entries_.size());
  for (const Entry& entry : entries_) order.push_back(&entry);
  std::ranges::sort(order, [](const Entry* a, const Entry* b) {
    return a->weight != b->weight ? a->weight > b->weight : a->key < b->key;
  });
  order.resize(std::min(order.size(), count));
  const double scale = ScaleAt(now);
  std::vector<WeightedKey> top;
  top.reserve(order.size());
  for (const Entry* entry : order) {
    top.push_back({entry->key, entry->weight / scale, entry->error / scale});
  }
  return top;
}

double KeySketch::Total(Micros now) const { return total_ / ScaleAt(now); }

double KeySketch::ErrorBound(Micros now) const { return floor_ / ScaleAt(now); }

void KeySketch::Merge(const KeySketch& other, Micros now) {
  ORRERY_CHECK(other.options_.capacity == options_.capacity);
  ORRERY_CHECK(other.options_.half_life == options_.half_life);
  MoveLandmark(now);
  const double to_ours = ScaleAt(now) / other.ScaleAt(now);

  // A key that only one of them watches may have had up to the floor of the other.
  std::vector<Entry> merged;
  merged.reserve(entries_.size() + other.entries_.size());
  for (const Entry& entry : entries_) {
    const auto theirs = other.index_.find(entry.key);
    const bool both = theirs != other.index_.end();
    const double weight = both ? other.entries_[theirs->second].weight : other.floor_;
    const double error = both ? other.entries_[theirs->second].error : other.floor_;
    merged.push_back({entry.key, entry.weight + weight * to_ours, entry.error + error * to_ours});
  }
  for (const Entry& entry : other.entries_) {
    if (index_.contains(entry.key)) continue;
    merged.push_back({entry.key, entry.weight * to_ours + floor_, entry.error * to_ours + floor_});
  }
  total_ += other.total_ * to_ours;
  floor_ += other.floor_ * to_ours;

  std::ranges::sort(merged, std::greater<>(), &Entry::weight);
  if (merged.size() > options_.capacity) {
    floor_ = std::max(floor_, merged[options_.capacity].weight);
    merged.resize(options_.capacity);
  }
  Rebuild(std::move(merged));
}

void KeySketch::Rebuild(std::vector<Entry> entries) {
  index_.clear();
  entries_.clear();
  heap_.clear();
  for (Entry& entry : entries) {
    const size_t at = entries_.size();
    entries_.push_back(std::move(entry));
    entries_[at].heap_position = at;
    heap_.push_back(at);
    index_.emplace(entries_[at].key, at);
    Sift(at);
  }
}

void KeySketch::Place(size_t position, size_t entry) {
  heap_[position] = entry;
  entries_[entry].heap_position = position;
}

void KeySketch::Sift(size_t position) {
  const size_t moving = heap_[position];
  const double weight = entries_[moving].weight;
  const auto weight_at = [&](size_t at) { return entries_[heap_[at]].weight; };
  while (position > 0 && weight_at((position - 1) / 2) > weight) {
    const size_t parent = (position - 1) / 2;
    Place(position, heap_[parent]);
    position = parent;
  }
  while (true) {
    size_t child = 2 * position + 1;
    if (child >= heap_.size()) break;
    if (child + 1 < heap_.size() && weight_at(child + 1) < weight_at(child)) ++child;
    if (weight_at(child) >= weight) break;
    Place(position, heap_[child]);
    position = child;
  }
  Place(position, moving);
}

}  // namespace orrery::partition
