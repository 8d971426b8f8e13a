// Lets the maker of a view wait for the writes that began before the view was known.
//
// A writer enters first and looks for views afterwards. So once everybody who had entered before
// the view was published has left, no write is under way that does not know of it. The pass is a
// reference to the period in which it was taken; a period ends when its last pass is gone.
//
// Thread-safe. Passes may outlive it.
#pragma once

#include <future>
#include <memory>
#include <utility>

#include "base/mutex.h"
#include "base/published.h"

namespace orrery::cassandra {

class WriteGracePeriod {
 public:
  std::shared_ptr<const void> Enter() const { return current_.Load(); }

  // Returns when all who have entered before the call have left. Blocks. REQUIRES: the caller has
  // no pass.
  void WaitForEarlier() EXCLUDES(mutex_) {
    std::shared_future<void> over;
    {
      MutexLock lock(mutex_);
      over = over_;
      Begin();
    }
    over.wait();
  }

  WriteGracePeriod() {
    MutexLock lock(mutex_);
    Begin();
  }

 private:
  struct Period {
    explicit Period(std::promise<void> ended) : over(std::move(ended)) {}
    ~Period() { over.set_value(); }
    Period(const Period&) = delete;
    Period& operator=(const Period&) = delete;

    std::promise<void> over;
  };

  void Begin() REQUIRES(mutex_) {
    std::promise<void> ended;
    over_ = ended.get_future().share();
    current_.Store(std::make_shared<const Period>(std::move(ended)));
  }

  Published<Period> current_;
  Mutex mutex_;
  std::shared_future<void> over_ GUARDED_BY(mutex_);  // of the current period
};

}  // namespace orrery::cassandra
