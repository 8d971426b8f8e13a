// An ExactSum adds doubles without rounding: only what it answers is rounded, once. So a sum is the
// same in whatever order its numbers come and wherever parts of it were made.
//
// It is a fixed-point number with 32 bits to a limb, the lowest of which begins at the least bit of
// a double (2^-1074). Only the limbs that were needed are kept: of numbers of a similar size three
// or four. Infinities and NaN are remembered beside it, and have the last word as in IEEE 754.
//
// Used by one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/status.h"
#include "model/value.h"

namespace orrery::model {

class ExactSum {
 public:
  void Add(double number);

  // The nearest double, ties to even; 0 of nothing.
  double Rounded() const;

  // The sum for another one to add:
  //   partial := number                  ; when a double has all of it
  //            | [first, limb, ...]      ; integers: limbs from the number `first` on, of 32 bits
  //                                      ; each, the last of which may be negative
  Value Partial() const;
  // kInvalidArgument if it is no partial.
  Status Merge(const Value& partial);

 private:
  // The limbs with carries done: all but the last from 0 to 2^32-1. The last one keeps the sign.
  std::vector<int64_t> Normalized() const;
  bool IsFinite() const { return !has_nan_ && !has_positive_ && !has_negative_; }
  // Makes limbs from `first` on to `first + count`.
  void Cover(size_t first, size_t count);
  void Carry();

  size_t first_ = 0;            // the number of limbs_[0]
  std::vector<int64_t> limbs_;  // rising
  uint32_t uncarried_ = 0;      // additions since carries were done
  bool has_nan_ = false;
  bool has_positive_ = false;  // infinity
  bool has_negative_ = false;
};

}  // namespace orrery::model
