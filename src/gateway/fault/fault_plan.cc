#include "gateway/fault/fault_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "base/scramble.h"

namespace orrery::gateway {
namespace {

// Decides by the seed and the number of the request alone, so that a run can be repeated.
bool IsChosen(const FaultRule& rule, uint64_t number) {
  if (rule.share >= 1) return true;
  constexpr double kSteps = 1ULL << 53;
  const uint64_t drawn = Scramble(Scramble(rule.seed + 1) + number) >> 11;
  return static_cast<double>(drawn) < rule.share * kSteps;
}

}  // namespace

std::string Fault::Text() const { return fmt::format("a fault on demand ({})", FaultName(kind)); }

FaultPlan::FaultPlan(SlowDown slow_down)
    : slow_down_(std::move(slow_down)), queue_("faults", kWaitingMax) {}

Result<FaultPlan::Entry> FaultPlan::Add(FaultRule rule) {
  ORRERY_TRY(CheckFaultRule(rule));
  MutexLock lock(mutex_);
  if (entries_.size() >= kRulesMax) {
    return Fail(Code::kResourceExhausted,
                fmt::format("there are {} faults already: remove some", kRulesMax));
  }
  if (rule.kind == FaultKind::kSlow) ORRERY_TRY(slow_down_(rule.partition, rule.delay));
  entries_.push_back({.id = next_id_++, .rule = std::move(rule)});
  Arm();
  return entries_.back();
}

Status FaultPlan::Remove(uint64_t id) {
  MutexLock lock(mutex_);
  const auto found = std::ranges::find(entries_, id, &Entry::id);
  if (found == entries_.end())
    return Fail(Code::kNotFound, fmt::format("there is no fault {}", id));
  const FaultRule rule = std::move(found->rule);
  entries_.erase(found);
  Lift(rule);
  Arm();
  return {};
}

void FaultPlan::Clear() {
  MutexLock lock(mutex_);
  const std::list<Entry> gone = std::exchange(entries_, {});
  for (const Entry& each : gone) Lift(each.rule);
  Arm();
}

std::vector<FaultPlan::Entry> FaultPlan::List() const {
  MutexLock lock(mutex_);
  return {entries_.begin(), entries_.end()};
}

std::optional<Fault> FaultPlan::Decide(const FaultPoint& point) {
  MutexLock lock(mutex_);
  for (Entry& each : entries_) {
    if (!IsAbout(each.rule, point)) continue;
    const uint64_t number = each.matched++;
    if (number < each.rule.skip) continue;
    if (each.rule.count.has_value() && each.made >= *each.rule.count) continue;
    if (!IsChosen(each.rule, number)) continue;
    ++each.made;
    return Fault{.kind = each.rule.kind,
                 .after = each.rule.after,
                 .retry_after_ms = each.rule.retry_after_ms,
                 .delay = each.rule.delay,
                 .code = each.rule.code};
  }
  return std::nullopt;
}

void FaultPlan::Later(std::chrono::milliseconds delay, DelayQueue::Task task) {
  // Shared, so that the task survives a queue that does not take it.
  const auto shared = std::make_shared<DelayQueue::Task>(std::move(task));
  if (!queue_.RunAfter(delay, [shared] { (*shared)(); })) (*shared)();
}

void FaultPlan::Arm() {
  armed_.store(std::ranges::any_of(entries_,
                                   [](const Entry& each) {
                                     return each.rule.kind != FaultKind::kSlow;
                                   }),
               std::memory_order_relaxed);
}

// An earlier rule about the same partition holds again.
void FaultPlan::Lift(const FaultRule& rule) {
  if (rule.kind != FaultKind::kSlow) return;
  std::chrono::milliseconds delay{0};
  for (const Entry& each : entries_) {
    if (each.rule.kind == FaultKind::kSlow && each.rule.partition == rule.partition)
      delay = each.rule.delay;
  }
  // A partition that is gone meanwhile is not slow any more.
  [[maybe_unused]] const Status lifted = slow_down_(rule.partition, delay);
}

}  // namespace orrery::gateway
