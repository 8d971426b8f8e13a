#include "cluster/lease/expiry_grace.h"

#include <algorithm>

namespace orrery::cluster {

bool ExpiryGrace::HasGrace(NodeId holder, const std::function<bool()>& answers) {
  auto known = until_.find(holder);
  if (known == until_.end()) {
    const Micros time = TimeFor(answers);
    known = until_.emplace(holder, clock_.Monotonic() + time).first;
  }
  return clock_.Monotonic() < known->second;
}

Micros ExpiryGrace::TimeFor(const std::function<bool()>& answers) const {
  const Micros now = clock_.Monotonic();
  const bool slow = now - began_ > kSlowLook;
  const Micros since_failure = now - failed_;
  if (!slow && since_failure >= kGrace && now - ended_ <= kLateLook) return Micros(0);
  if (answers()) return kGraceAlive;
  return slow ? kGrace : std::max(Micros(0), kGrace - since_failure);
}

}  // namespace orrery::cluster
