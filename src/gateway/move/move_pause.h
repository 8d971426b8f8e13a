// A MovePause holds up all writes to a container for a moment: those under way are done when it has
// begun, and those that come wait (in the gateway) until it ends.
//
// It closes the container's gate. It ends when the container is another one, or by a new gate.
// One thread.
#pragma once

#include <chrono>
#include <thread>
#include <vector>

#include "base/ids.h"
#include "base/status.h"
#include "gateway/catalog/catalog.h"
#include "partition/reservations.h"

namespace orrery::gateway {

// Returns the key under which writes find whom they wait for.
std::string MovePauseKey(ContainerId id);

class MovePause {
 public:
  // The time that writes under way have to end; they may wait for an open transaction.
  static constexpr std::chrono::milliseconds kGraceMax{300};

  // All must outlive it.
  MovePause(Catalog& catalog, partition::Reservations& reservations)
      : catalog_(catalog), reservations_(reservations) {}
  // Ends it, and waits for writes that outlasted a Begin.
  ~MovePause();
  MovePause(const MovePause&) = delete;
  MovePause& operator=(const MovePause&) = delete;

  // False: writes under way did not end in time, and nothing is held up. REQUIRES: not begun.
  bool Begin(const ContainerRef& container);
  // Lets the writes go on, into the same container. Must be tried again after an error.
  Status End();
  // Lets them go on after the name has come to mean another container.
  void EndSwitched();

  bool has_begun() const { return container_ != nullptr; }
  std::chrono::microseconds length() const {
    return std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() -
                                                                 began_);
  }

 private:
  Catalog& catalog_;
  partition::Reservations& reservations_;
  ContainerRef container_;
  partition::Reservations::Holder holder_ = 0;
  std::chrono::steady_clock::time_point began_;
  std::vector<std::thread> waiting_;
};

}  // namespace orrery::gateway
