// Calls a function again and again on a thread of its own, with a pause after each call.
// Hurry() ends the pause, or leaves out the one after the call under way.
//
// Stop() (also called by the destructor) waits for a call under way and joins. Idempotent.
#pragma once

#include <chrono>
#include <functional>
#include <thread>

#include "base/mutex.h"

namespace orrery::server {

class Ticker {
 public:
  Ticker(std::chrono::milliseconds pause, std::function<void()> tick);
  ~Ticker();

  void Hurry() EXCLUDES(mutex_);
  void Stop() EXCLUDES(mutex_);

 private:
  void Run() EXCLUDES(mutex_);

  const std::chrono::milliseconds pause_;
  const std::function<void()> tick_;
  Mutex mutex_;
  CondVar wakeup_;
  bool hurried_ GUARDED_BY(mutex_) = false;
  bool stopping_ GUARDED_BY(mutex_) = false;
  std::thread thread_;  // last: it uses all of the above
};

}  // namespace orrery::server
