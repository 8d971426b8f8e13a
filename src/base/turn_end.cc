#include "base/turn_end.h"

namespace orrery {
namespace {

thread_local TurnEnd* of_this_thread = nullptr;

}  // namespace

TurnEnd* TurnEnd::OfThisThread() { return of_this_thread; }

void TurnEnd::SetForThisThread(TurnEnd* turn_end) { of_this_thread = turn_end; }

}  // namespace orrery
