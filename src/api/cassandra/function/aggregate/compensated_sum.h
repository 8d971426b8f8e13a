// A sum of doubles that carries along what each addition rounds off (Kahan), as Cassandra does it.
#pragma once

#include <cmath>

namespace orrery::cassandra {

class CompensatedSum {
 public:
  void Add(double value) {
    plain_ += value;
    const double corrected = value - compensation_;
    const double rounded = sum_ + corrected;
    compensation_ = (rounded - sum_) - corrected;
    sum_ = rounded;
  }

  // Without the last correction.
  double running() const { return sum_; }

  double Total() const {
    const double total = sum_ + compensation_;
    // Infinities of one sign cancel each other in the compensation, not in the sum.
    return std::isnan(total) && std::isinf(plain_) ? plain_ : total;
  }

 private:
  double sum_ = 0;
  double compensation_ = 0;
  double plain_ = 0;
};

}  // namespace orrery::cassandra
