#include "partition/rate/governor.h"

#include <algorithm>

#include "base/check.h"

namespace orrery::partition {
namespace {

constexpr int64_t kWindowMs = 1'000;
constexpr int kBudgetBits = 32;

static_assert(Governor::kRateMax.hundredths() <= INT32_MAX);

int64_t CheckedRate(RequestUnits rate) {
  ORRERY_CHECK(rate >= RequestUnits() && rate <= Governor::kRateMax);
  return rate.hundredths();
}

// Milliseconds until a window with budget: each that passes pays one rate of debt.
uint32_t RetryAfterMs(int64_t budget, int64_t rate, int64_t elapsed_ms) {
  const int64_t windows = -budget / rate + 1;
  return static_cast<uint32_t>(
      std::clamp<int64_t>(windows * kWindowMs - elapsed_ms, 1, UINT32_MAX));
}

}  // namespace

Governor::Governor(RequestUnits rate, GovernorOptions options, Micros now)
    : options_(options),
      origin_(now),
      // As if the window before the last had been used up, so that the first request anchors; the
      // silent second between is no one's savings.
      state_(Pack({.start_ms = -2 * kWindowMs, .budget = 0})),
      rate_(CheckedRate(rate)),
      savings_(-rate.hundredths()) {}

uint64_t Governor::Pack(Window window) {
  const auto budget =
      static_cast<int32_t>(std::clamp<int64_t>(window.budget, -kDebtMax.hundredths(), INT32_MAX));
  return static_cast<uint64_t>(window.start_ms) << kBudgetBits | static_cast<uint32_t>(budget);
}

Governor::Window Governor::Unpack(uint64_t word) {
  return {.start_ms = static_cast<int64_t>(word >> kBudgetBits),
          .budget = static_cast<int32_t>(static_cast<uint32_t>(word))};
}

int64_t Governor::ElapsedMs(Window window, int64_t now_ms) {
  // Both are modulo 2^32, and so is the difference; one that is almost the whole circle is a thread
  // that was late.
  const auto difference = static_cast<uint32_t>(now_ms - window.start_ms);
  const bool is_late =
      -difference <= static_cast<uint32_t>(kLateMax / std::chrono::milliseconds(1));
  return is_late ? 0 : int64_t{difference};
}

int64_t Governor::ToMs(Micros now) const {
  return std::max<int64_t>(0, (now - origin_).count()) / 1'000;
}

Governor::Turn Governor::TurnTo(Window window, int64_t now_ms, int64_t rate, bool anchor) const {
  const int64_t passed = ElapsedMs(window, now_ms) / kWindowMs;
  if (passed == 0) return {.window = window, .saved = 0};

  // The carry-over of the windows up to the new one: unused budget, or a debt.
  const int64_t credit = window.budget + (passed - 1) * rate;
  const bool silent = passed >= 2 && credit >= rate;
  Turn turn{.window = {.start_ms = anchor && silent ? now_ms : window.start_ms + passed * kWindowMs,
                       .budget = rate + std::min<int64_t>(credit, 0)},
            .saved = 0};

  const int64_t burst_more = options_.burst_rate_max.hundredths() - rate;
  if (options_.burst && burst_more > 0) {
    const int64_t before = savings_.load(std::memory_order_relaxed);
    const int64_t savings =
        std::min(before + std::max<int64_t>(credit, 0), options_.burst_seconds_max * rate);
    const int64_t spendable = std::clamp<int64_t>(savings, 0, burst_more);
    turn.window.budget += spendable;
    turn.saved = savings - spendable - before;
  }
  return turn;
}

Admission Governor::Reserve(RequestUnits estimate, Micros now) {
  const int64_t now_ms = ToMs(now);
  uint64_t before = state_.load(std::memory_order_relaxed);
  while (true) {
    const int64_t rate = rate_.load(std::memory_order_relaxed);
    if (rate == 0) break;
    Turn turn = TurnTo(Unpack(before), now_ms, rate, /*anchor=*/true);
    if (turn.window.budget <= 0) {
      throttled_total_.fetch_add(1, std::memory_order_relaxed);
      return {
          .admitted = false,
          .retry_after_ms = RetryAfterMs(turn.window.budget, rate, ElapsedMs(turn.window, now_ms))};
    }
    turn.window.budget -= estimate.hundredths();
    if (state_.compare_exchange_weak(before, Pack(turn.window), std::memory_order_relaxed)) {
      if (turn.saved != 0) savings_.fetch_add(turn.saved, std::memory_order_relaxed);
      break;
    }
  }
  admitted_total_.fetch_add(1, std::memory_order_relaxed);
  Count(estimate, now);
  return {.admitted = true, .retry_after_ms = 0};
}

void Governor::Settle(RequestUnits difference, Micros now) {
  if (difference == RequestUnits()) return;
  const int64_t now_ms = ToMs(now);
  uint64_t before = state_.load(std::memory_order_relaxed);
  while (true) {
    const int64_t rate = rate_.load(std::memory_order_relaxed);
    if (rate == 0) break;
    // A late charge must not be paid by the silence before it, so it turns the window first. A
    // late refund after silence has nothing left to relieve, and must not end the silence.
    const Window window = Unpack(before);
    const bool late_refund =
        difference < RequestUnits() && ElapsedMs(window, now_ms) >= 2 * kWindowMs;
    Turn turn = late_refund ? Turn{.window = window, .saved = 0}
                            : TurnTo(window, now_ms, rate, /*anchor=*/false);
    turn.window.budget -= difference.hundredths();
    if (state_.compare_exchange_weak(before, Pack(turn.window), std::memory_order_relaxed)) {
      if (turn.saved != 0) savings_.fetch_add(turn.saved, std::memory_order_relaxed);
      break;
    }
  }
  Count(difference, now);
}

void Governor::SetRate(RequestUnits rate) {
  const int64_t before = rate_.exchange(CheckedRate(rate), std::memory_order_relaxed);
  // As in the constructor: the second before the first rate is no one's savings.
  if (before == 0) savings_.fetch_sub(rate.hundredths(), std::memory_order_relaxed);
}

RequestUnits Governor::rate() const {
  return RequestUnits::FromHundredths(rate_.load(std::memory_order_relaxed));
}

void Governor::Count(RequestUnits used, Micros now) {
  used_total_.fetch_add(used.hundredths(), std::memory_order_relaxed);
  const int64_t in_second = second_.Add(used.hundredths(), now);
  autoscale_.Record(RequestUnits::FromHundredths(in_second), now);
}

GovernorUsage Governor::Usage(Micros now) const {
  return {
      .used_last_second = RequestUnits::FromHundredths(std::max<int64_t>(0, second_.LastFull(now))),
      .used_total = RequestUnits::FromHundredths(used_total_.load(std::memory_order_relaxed)),
      .admitted_total = admitted_total_.load(std::memory_order_relaxed),
      .throttled_total = throttled_total_.load(std::memory_order_relaxed)};
}

}  // namespace orrery::partition
