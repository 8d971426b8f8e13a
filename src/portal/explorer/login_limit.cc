#include "portal/explorer/login_limit.h"

#include <algorithm>

namespace orrery::portal {

std::optional<Micros> LoginLimit::WaitOf(std::string_view address, Micros now) const {
  const MutexLock lock(mutex_);
  const auto found = tries_.find(address);
  if (found == tries_.end() || found->second.wrong < kWrongMax) return std::nullopt;
  const Micros end = found->second.since + kPeriod;
  if (now >= end) return std::nullopt;
  return end - now;
}

void LoginLimit::NoteWrong(std::string_view address, Micros now) {
  const MutexLock lock(mutex_);
  auto found = tries_.find(address);
  if (found == tries_.end()) {
    if (tries_.size() >= kAddressesMax) {
      tries_.erase(std::ranges::min_element(tries_, {},
                                            [](const auto& entry) { return entry.second.since; }));
    }
    found = tries_.emplace(std::string(address), Tries{.since = now}).first;
  }
  if (now - found->second.since >= kPeriod) found->second = {.since = now};
  ++found->second.wrong;
}

}  // namespace orrery::portal
