#include "server/ticker.h"

#include <pthread.h>

#include <exception>
#include <utility>

#include "base/log.h"

namespace orrery::server {

Ticker::Ticker(std::chrono::milliseconds pause, std::function<void()> tick)
    : pause_(pause), tick_(std::move(tick)), thread_([this] { Run(); }) {}

Ticker::~Ticker() { Stop(); }

void Ticker::Hurry() {
  {
    MutexLock lock(mutex_);
    hurried_ = true;
  }
  wakeup_.NotifyAll();
}

void Ticker::Stop() {
  {
    MutexLock lock(mutex_);
    stopping_ = true;
  }
  wakeup_.NotifyAll();
  if (thread_.joinable()) thread_.join();
}

void Ticker::Run() {
  pthread_setname_np(pthread_self(), "maintenance");
  while (true) {
    {
      MutexLock lock(mutex_);
      const auto deadline = std::chrono::steady_clock::now() + pause_;
      while (!stopping_ && !hurried_) {
        const auto now = std::chrono::steady_clock::now();
        if (now >= deadline) break;
        wakeup_.WaitFor(mutex_, deadline - now);
      }
      if (stopping_) return;
      hurried_ = false;
    }
    try {
      tick_();
    } catch (const std::exception& error) {
      LogError("maintenance failed: {}", error.what());
    }
  }
}

}  // namespace orrery::server
