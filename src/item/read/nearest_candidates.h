// Gathers the items that may be among the first of an order of which only bounds are known: of each
// item that its rank is between two numbers. Once the greater one of enough items is known, those
// whose lesser one is above it are out.
//
// Not thread-safe; lives for one page of a search.
#pragma once

#include <optional>
#include <vector>

#include "item/layout/key_layout.h"
#include "item/read/nearest_position.h"

namespace orrery::item {

class NearestCandidates {
 public:
  struct Candidate {
    double least;  // its rank is not below
    ItemKey key;
  };

  // `wanted` items (one or more) behind `after`, which must outlive it.
  NearestCandidates(size_t wanted, const std::optional<NearestPosition>& after);

  void Add(ItemRef key, double least, double most);
  // Some were not examined: all of a rank above limit().
  void LeaveOut() { left_out_ = true; }

  // No item above it is among the wanted; infinite while too few are known.
  double limit() const;
  // Returns whether there are items beside the candidates, all above limit().
  bool left_out() const { return left_out_; }
  // By their least ranks, rising.
  std::vector<Candidate> Take();

 private:
  void DropAboveLimit();

  const size_t wanted_;
  const std::optional<NearestPosition>& after_;
  std::vector<Candidate> candidates_;
  std::vector<double> most_;  // a heap: the least of them, as many as are wanted
  size_t drop_at_;
  bool left_out_ = false;
};

}  // namespace orrery::item
