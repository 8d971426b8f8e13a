// ExpiryGrace decides whether a node whose lease has run out gets some grace before it is given up.
//
// When the store did not answer for a while every lease has run out, and nobody is dead for that:
// holders that waited for the same store renew theirs as soon as it answers. Whoever looks at
// leases notices such a time by his own looks, which came late, took long or failed. Then a holder
// that answers a call is granted grace for kGraceAlive, as it lives and waits for the store; and
// after a look that took long or failed one that does not answer is granted grace for kGrace, as it
// may be busy. At other times a lease that has run out means what it says, and nobody is asked.
//
// This is about who is given up, and when; that nobody writes without his lease is the store's
// business.
//
// For one thread.
#pragma once

#include <chrono>
#include <functional>
#include <map>

#include "base/clock.h"
#include "base/ids.h"

namespace orrery::cluster {

inline constexpr std::chrono::milliseconds kSlowLook{500};
// From the end of one round of looks to a lease that is found run out in the next; a pause of half
// a second lies between rounds.
inline constexpr std::chrono::milliseconds kLateLook{1'000};
inline constexpr std::chrono::milliseconds kGrace{2'000};
inline constexpr std::chrono::milliseconds kGraceAlive{4'000};
// The time to wait for the answer of a node that may be granted grace.
inline constexpr std::chrono::milliseconds kAnswerPatience{250};

class ExpiryGrace {
 public:
  // `clock` must outlive it.
  explicit ExpiryGrace(const Clock& clock) : clock_(clock) {}

  // A round of looks at leases begins; it ended, or failed.
  void Begin() { began_ = clock_.Monotonic(); }
  void End() { ended_ = clock_.Monotonic(); }
  void Fail() { failed_ = clock_.Monotonic(); }

  // The holder has its lease, or is known to be gone.
  void Forget(NodeId holder) { until_.erase(holder); }
  // The lease of `holder` is found run out, in the round that has begun. What is decided the first
  // time holds until Forget. `answers` is called at most once, and may block.
  bool HasGrace(NodeId holder, const std::function<bool()>& answers);

 private:
  Micros TimeFor(const std::function<bool()>& answers) const;

  const Clock& clock_;
  Micros began_{0};
  Micros ended_{0};                 // of the last round that ended
  Micros failed_{-kGrace};          // the last one that failed
  std::map<NodeId, Micros> until_;  // of those whose leases have run out
};

}  // namespace orrery::cluster
