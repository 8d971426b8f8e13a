// std::mutex and std::condition_variable with Clang's thread-safety annotations.
#pragma once

#include <condition_variable>
#include <mutex>

#if defined(__clang__)
#define ORRERY_TSA(x) __attribute__((x))
#else
#define ORRERY_TSA(x)
#endif
#define CAPABILITY(x) ORRERY_TSA(capability(x))
#define SCOPED_CAPABILITY ORRERY_TSA(scoped_lockable)
#define GUARDED_BY(x) ORRERY_TSA(guarded_by(x))
#define REQUIRES(...) ORRERY_TSA(requires_capability(__VA_ARGS__))
#define EXCLUDES(...) ORRERY_TSA(locks_excluded(__VA_ARGS__))
#define ACQUIRE(...) ORRERY_TSA(acquire_capability(__VA_ARGS__))
#define RELEASE(...) ORRERY_TSA(release_capability(__VA_ARGS__))
#define NO_THREAD_SAFETY_ANALYSIS ORRERY_TSA(no_thread_safety_analysis)

namespace orrery {

class CAPABILITY("mutex") Mutex {
 public:
  void Lock() ACQUIRE() { mutex_.lock(); }
  void Unlock() RELEASE() { mutex_.unlock(); }

 private:
  friend class CondVar;
  std::mutex mutex_;
};

class SCOPED_CAPABILITY MutexLock {
 public:
  explicit MutexLock(Mutex& mutex) ACQUIRE(mutex) : mutex_(mutex) { mutex_.Lock(); }
  ~MutexLock() RELEASE() { mutex_.Unlock(); }
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

 private:
  Mutex& mutex_;
};

class CondVar {
 public:
  // Wakes spuriously too: call in a loop over the condition.
  void Wait(Mutex& mutex) REQUIRES(mutex) NO_THREAD_SAFETY_ANALYSIS {
    std::unique_lock<std::mutex> lock(mutex.mutex_, std::adopt_lock);
    variable_.wait(lock);
    lock.release();
  }
  // False when the time ran out.
  template <typename Rep, typename Period>
  bool WaitFor(Mutex& mutex, std::chrono::duration<Rep, Period> timeout)
      REQUIRES(mutex) NO_THREAD_SAFETY_ANALYSIS {
    std::unique_lock<std::mutex> lock(mutex.mutex_, std::adopt_lock);
    const bool woken = variable_.wait_for(lock, timeout) == std::cv_status::no_timeout;
    lock.release();
    return woken;
  }
  void NotifyOne() { variable_.notify_one(); }
  void NotifyAll() { variable_.notify_all(); }

 private:
  std::condition_variable variable_;
};

}  // namespace orrery
