// Watches of objects that outlive broken connections.
//
// librados ends a watch when its OSD or the connection to it is lost, and says so on a thread on
// which nothing may block. The keeper starts such watches again, on a thread of its own, until it
// succeeds or the watch is destroyed; what was said meanwhile is lost.
//
// For librados_*.cc only: it brings librados's headers.
#pragma once

#include <rados/librados.hpp>

#include <chrono>
#include <deque>
#include <memory>
#include <string>
#include <thread>

#include "base/mutex.h"
#include "base/status.h"
#include "storage/rados/object/object_store.h"

namespace orrery::storage::rados {

class LibradosWatch;

// Thread-safe. Outlives its watches.
class WatchKeeper {
 public:
  // Between two attempts to start a broken watch again.
  static constexpr std::chrono::seconds kPause{1};

  WatchKeeper(librados::Rados& cluster, librados::IoCtx& io);  // must outlive the keeper
  ~WatchKeeper();

  Result<std::unique_ptr<ObjectStore::Watch>> Start(std::string object, ObjectStore::Heard heard);

 private:
  friend class LibradosWatch;

  void Repair(LibradosWatch& watch) EXCLUDES(mutex_);
  // On the return the keeper neither has the watch nor works on it.
  void Forget(LibradosWatch& watch) EXCLUDES(mutex_);
  void Run() EXCLUDES(mutex_);

  librados::Rados& cluster_;
  librados::IoCtx& io_;

  Mutex mutex_;
  CondVar changed_;
  std::deque<LibradosWatch*> broken_ GUARDED_BY(mutex_);
  LibradosWatch* in_work_ GUARDED_BY(mutex_) = nullptr;
  bool stopping_ GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

}  // namespace orrery::storage::rados
