#include "storage/rados/object/librados_watch.h"

#include <atomic>
#include <utility>

#include "base/log.h"
#include "storage/rados/object/librados_connection.h"
#include "storage/rados/object/librados_error.h"

namespace orrery::storage::rados {

class LibradosWatch final : public ObjectStore::Watch, public librados::WatchCtx2 {
 public:
  LibradosWatch(WatchKeeper& keeper, std::string object, ObjectStore::Heard heard)
      : keeper_(keeper), object_(std::move(object)), heard_(std::move(heard)) {}

  ~LibradosWatch() override {
    ending_ = true;
    keeper_.Forget(*this);
    if (const uint64_t handle = handle_; handle != 0) keeper_.io_.unwatch2(handle);
    // After this no callback of this watch runs any more, and none has passed it to the keeper.
    keeper_.cluster_.watch_flush();
    keeper_.Forget(*this);
  }

  // Also starts it again. Not from two threads at once.
  Status Begin() {
    return WithoutExceptions([&]() -> Status {
      if (const uint64_t former = handle_.exchange(0); former != 0) keeper_.io_.unwatch2(former);
      // A watch has no timeout of its own; looking first finds out whether the object is served.
      ORRERY_TRY(RadosStatus(keeper_.io_.stat2(object_, nullptr, nullptr), "watch " + object_));
      uint64_t handle = 0;
      ORRERY_TRY(RadosStatus(keeper_.io_.watch3(object_, &handle, this, 0), "watch " + object_));
      handle_ = handle;
      return {};
    });
  }

  void handle_notify(uint64_t notice, uint64_t handle, uint64_t /*notifier*/,
                     librados::bufferlist& payload) override {
    const std::string bytes = payload.to_str();
    if (!ending_) heard_(bytes);
    librados::bufferlist nothing;
    keeper_.io_.notify_ack(object_, notice, handle, nothing);
  }

  void handle_error(uint64_t /*handle*/, int result) override {
    LogDebug("rados: the watch of {} broke ({}), starting it again", object_, result);
    if (!ending_) keeper_.Repair(*this);
  }

 private:
  WatchKeeper& keeper_;
  const std::string object_;
  const ObjectStore::Heard heard_;
  std::atomic<uint64_t> handle_{0};  // 0: there is none now
  std::atomic<bool> ending_{false};
};

WatchKeeper::WatchKeeper(librados::Rados& cluster, librados::IoCtx& io)
    : cluster_(cluster), io_(io), thread_([this] { Run(); }) {}

WatchKeeper::~WatchKeeper() {
  {
    MutexLock lock(mutex_);
    stopping_ = true;
    changed_.NotifyAll();
  }
  thread_.join();
}

Result<std::unique_ptr<ObjectStore::Watch>> WatchKeeper::Start(std::string object,
                                                               ObjectStore::Heard heard) {
  auto watch = std::make_unique<LibradosWatch>(*this, std::move(object), std::move(heard));
  ORRERY_TRY(watch->Begin());
  return watch;
}

void WatchKeeper::Repair(LibradosWatch& watch) {
  MutexLock lock(mutex_);
  broken_.push_back(&watch);
  changed_.NotifyAll();
}

void WatchKeeper::Forget(LibradosWatch& watch) {
  MutexLock lock(mutex_);
  while (in_work_ == &watch) changed_.Wait(mutex_);
  std::erase(broken_, &watch);
}

void WatchKeeper::Run() {
  MutexLock lock(mutex_);
  while (!stopping_) {
    if (broken_.empty()) {
      changed_.Wait(mutex_);
      continue;
    }
    LibradosWatch& watch = *broken_.front();
    std::erase(broken_, &watch);  // a watch may have broken twice
    in_work_ = &watch;
    mutex_.Unlock();
    const Status begun = watch.Begin();
    mutex_.Lock();
    in_work_ = nullptr;
    // A fenced client watches nothing ever again.
    const bool again = !begun.has_value() && begun.error().code() != Code::kFenced;
    if (again) broken_.push_back(&watch);
    changed_.NotifyAll();
    if (again && !stopping_) changed_.WaitFor(mutex_, kPause);
  }
}

}  // namespace orrery::storage::rados
