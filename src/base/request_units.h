// A quantity of request units, the one currency of prices, budgets and meters.
//
// Fixed point, hundredths of a unit: prices add up to the same sum on every machine and in any
// order. A quantity may be negative (a refund, a debt).
#pragma once

#include <fmt/core.h>

#include <compare>
#include <cstdint>
#include <cstdlib>
#include <string>

namespace orrery {

class RequestUnits {
 public:
  static constexpr int64_t kHundredthsPerUnit = 100;

  constexpr RequestUnits() = default;
  static constexpr RequestUnits FromHundredths(int64_t hundredths) {
    return RequestUnits(hundredths);
  }
  static constexpr RequestUnits Whole(int64_t units) {
    return RequestUnits(units * kHundredthsPerUnit);
  }

  constexpr int64_t hundredths() const { return hundredths_; }
  constexpr double ToDouble() const {
    return static_cast<double>(hundredths_) / static_cast<double>(kHundredthsPerUnit);
  }
  // Two decimals always: "5.00", "-0.25".
  std::string ToString() const {
    const int64_t magnitude = std::abs(hundredths_);
    return fmt::format("{}{}.{:02}", hundredths_ < 0 ? "-" : "", magnitude / kHundredthsPerUnit,
                       magnitude % kHundredthsPerUnit);
  }

  constexpr RequestUnits& operator+=(RequestUnits other) {
    hundredths_ += other.hundredths_;
    return *this;
  }
  constexpr RequestUnits& operator-=(RequestUnits other) {
    hundredths_ -= other.hundredths_;
    return *this;
  }
  friend constexpr RequestUnits operator+(RequestUnits a, RequestUnits b) { return a += b; }
  friend constexpr RequestUnits operator-(RequestUnits a, RequestUnits b) { return a -= b; }
  friend constexpr RequestUnits operator-(RequestUnits a) { return RequestUnits(-a.hundredths_); }
  friend constexpr RequestUnits operator*(RequestUnits a, int64_t times) {
    return RequestUnits(a.hundredths_ * times);
  }
  friend constexpr auto operator<=>(RequestUnits, RequestUnits) = default;

 private:
  constexpr explicit RequestUnits(int64_t hundredths) : hundredths_(hundredths) {}
  int64_t hundredths_ = 0;
};

}  // namespace orrery
