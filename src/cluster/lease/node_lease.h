// A NodeLease is one process's right to act in a role (to be node 7, to be the manager) for a
// bounded time: a lock on an object, with a duration, that must be renewed.
//
// Two clocks, and nothing depends on their agreement. The store's decides when the lock is free for
// another. This process trusts the lease for two thirds of the duration, by its own monotonic
// clock, counted from before each renewal was sent; the last third is for clocks that run apart.
//
// A clock fences nobody. Whoever takes a lease over first has the store refuse its former holder
// (blocklisting), so that a process that was stopped and wakes up can change nothing, whatever it
// believes. Only a holder that released its lease is spared.
//
//   the object's attributes: "term"   := decimal, raised by each taking
//                            "holder" := address of who took it last, empty once released
//
// Thread-safe; Take, Renew and Release block on the store. Nothing renews by itself: LeaseRenewer.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "base/clock.h"
#include "base/status.h"
#include "storage/rados/object_store.h"

namespace orrery::cluster {

class NodeLease {
 public:
  struct Options {
    std::string object;  // made when it is not there
    std::string cookie;  // of this very taking: never used before, shown to others
    std::chrono::milliseconds duration{6'000};
  };
  // Takes a lease that nobody holds, fencing the former holder if there was one.
  //   kAlreadyExists  held by another (the message has its cookie), or another was faster: ask
  //   again kCorruption     the object is not a lease
  // `store` and `clock` must outlive the lease.
  static Result<std::unique_ptr<NodeLease>> Take(storage::rados::ObjectStore& store,
                                                 const Clock& clock, const Options& options);

  struct View {
    uint64_t term = 0;
    bool held = false;           // the lock is valid now
    std::string holder_address;  // empty: released, or never taken
    std::string holder_cookie;   // empty unless held
  };
  // What anybody can see of a lease. kNotFound when it was never taken.
  static Result<View> Look(storage::rados::ObjectStore& store, const std::string& object);

  // Whether this process may act now. Lock-free.
  bool ValidNow() const { return clock_.Monotonic().count() < valid_until_us_.load(); }
  // By the clock's Monotonic().
  Micros valid_until() const { return Micros(valid_until_us_.load()); }
  // Greater than that of any earlier holder.
  uint64_t term() const { return term_; }
  const Options& options() const { return options_; }

  // Prolongs; a lock that ran out while the store was slow is taken again if nobody had the lease
  // meanwhile. kNotFound or kFenced: it is lost for good, and ValidNow() is false from then on. Any
  // other error: unknown, try again. Not from two threads at once.
  Status Renew();
  // Gives it up, so that the next can take it at once and this process is not fenced. REQUIRES:
  // everything done under it has ended. ValidNow() is false from the call on.
  Status Release();

 private:
  NodeLease(storage::rados::ObjectStore& store, const Clock& clock, Options options, uint64_t term);
  // Whether the object still says that this taking was the last.
  Status CheckRecord();
  Status Prolong();

  storage::rados::ObjectStore& store_;
  const Clock& clock_;
  const Options options_;
  const uint64_t term_;
  std::atomic<int64_t> valid_until_us_{0};
  std::atomic<bool> over_{false};  // lost or released: no renewal may revive it
  bool lapsed_ = false;            // the lock was not held for a while: Renew's alone
};

}  // namespace orrery::cluster
