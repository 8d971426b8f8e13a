#include "base/charge_trace.h"

#include <algorithm>
#include <utility>

namespace orrery {
namespace {

thread_local std::shared_ptr<ChargeTrace> current_trace;

}  // namespace

ChargeTrace::Scope::Scope(std::shared_ptr<ChargeTrace> trace)
    : former_(std::exchange(current_trace, std::move(trace))) {}

ChargeTrace::Scope::~Scope() { current_trace = std::move(former_); }

const std::shared_ptr<ChargeTrace>& ChargeTrace::Current() { return current_trace; }

void ChargeTrace::Add(std::span<const ChargePart> parts, uint64_t partition) {
  const MutexLock lock(mutex_);
  for (const ChargePart& part : parts) {
    const auto same = std::ranges::find_if(parts_, [&](const ChargePart& known) {
      return known.partition == partition && known.what == part.what;
    });
    if (same != parts_.end()) {
      same->count += part.count;
      same->charge += part.charge;
    } else if (parts_.size() < kPartsMax) {
      parts_.push_back(part);
      parts_.back().partition = partition;
    }
  }
}

std::vector<ChargePart> ChargeTrace::Explain(RequestUnits total, std::string_view rest) const {
  std::vector<ChargePart> parts;
  {
    const MutexLock lock(mutex_);
    parts = parts_;
  }
  std::erase_if(parts, [](const ChargePart& part) { return part.charge == RequestUnits(); });
  RequestUnits sum;
  for (const ChargePart& part : parts) sum += part.charge;
  if (sum != total) parts.push_back({.what = rest, .count = 1, .charge = total - sum});
  std::ranges::sort(parts, [](const ChargePart& a, const ChargePart& b) {
    return std::pair(b.charge, a.partition) < std::pair(a.charge, b.partition);
  });
  return parts;
}

}  // namespace orrery
