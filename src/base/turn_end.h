// A TurnEnd collects what a thread puts off to the end of its turn. An event loop finds many
// requests ready at once: what it hands to other threads together, at the end, wakes them once
// instead of once per request.
//
// Used by its own thread only.
#pragma once

#include <functional>

namespace orrery {

class TurnEnd {
 public:
  using Task = std::move_only_function<void()>;

  virtual ~TurnEnd() = default;
  // Runs `task` on this thread when it is through with what lies ready now; never inside this call.
  virtual void Add(Task task) = 0;

  // Null on threads that take no turns.
  static TurnEnd* OfThisThread();

 protected:
  static void SetForThisThread(TurnEnd* turn_end);
};

}  // namespace orrery
