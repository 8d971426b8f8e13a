// Renews one lease every third of its duration, on a thread of its own: a pool that is busy with
// other work would lose leases under load.
//
// What fails without being the loss is tried again, after a shorter pause. The lease's ValidNow()
// goes false by itself meanwhile, and true again when a renewal gets through.
#pragma once

#include <functional>
#include <thread>

#include "base/mutex.h"
#include "base/status.h"
#include "cluster/lease/node_lease.h"

namespace orrery::cluster {

class LeaseRenewer {
 public:
  // Called at most once, on the renewer's thread, when the lease is lost for good. Must not destroy
  // the renewer.
  using Lost = std::move_only_function<void(const Error&)>;

  LeaseRenewer(NodeLease& lease, Lost lost);  // the lease must outlive the renewer
  ~LeaseRenewer() { Stop(); }

  // Ends the thread; the lease runs out unless somebody else renews it. Idempotent.
  void Stop() EXCLUDES(mutex_);

 private:
  void Run() EXCLUDES(mutex_);

  NodeLease& lease_;
  Lost lost_;  // the thread's alone

  Mutex mutex_;
  CondVar stop_asked_;
  bool stopping_ GUARDED_BY(mutex_) = false;
  std::thread thread_;  // last: uses the others
};

}  // namespace orrery::cluster
