// A Lease is the right to act as somebody, for a while: as a node of the cluster, as its manager.
// It is a lock on an object of the store that runs out unless it is renewed.
//
// The holder trusts it for three quarters of its duration after the start of the last renewal that
// succeeded, by its own monotonic clock; the store keeps it for the whole. So whoever takes a lease
// that ran out knows that the former holder has stopped trusting it, and makes sure that the store
// takes nothing from that process any more.
//
// An answer is right if what it tells was read while the lease was valid: check ValidNow() after
// reading, before answering.
//
// The holder's address is the attribute "holder" of the object, set after the lock was taken and
// before anything else is done in its name; empty after a release.
//
// ValidNow() from any thread; the others from one at a time.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/status.h"
#include "storage/rados/object/object_store.h"

namespace orrery::cluster {

struct LeaseOptions {
  std::string object;
  std::string cookie;  // tells this process from every other, also of the same machine
  std::chrono::milliseconds duration{5'000};  // renew every quarter of it
};

class Lease {
 public:
  // Takes it when nobody has it. kAlreadyExists when somebody does. `store` and `clock` must
  // outlive the lease.
  static Result<std::unique_ptr<Lease>> TryTake(storage::rados::ObjectStore& store,
                                                const Clock& clock, LeaseOptions options);
  // Returns whether somebody holds it, by the store's clock. Nobody holds a closed one.
  static Result<bool> IsHeld(storage::rados::ObjectStore& store, const std::string& object);

  // Takes a lease that ran out away from its holder, who could take it up again otherwise. False
  // when the holder did. From true on it is nobody's, for kClosedFor; also when another closed it.
  static constexpr std::chrono::hours kClosedFor{1};
  static Result<bool> Close(storage::rados::ObjectStore& store, const std::string& object);
  // Takes it away from a process that certainly has ended, if that one has it under this cookie,
  // and makes sure that the store takes nothing from it any more.
  static Status Inherit(storage::rados::ObjectStore& store, const std::string& object,
                        const std::string& cookie);
  // The address of whoever took it last; empty when that was given back.
  static Result<std::string> HolderOf(storage::rados::ObjectStore& store,
                                      const std::string& object);

  // Releases it, so that the next need not wait.
  ~Lease();
  Lease(const Lease&) = delete;
  Lease& operator=(const Lease&) = delete;

  // Returns whether the lease is certainly this process's at this moment. Lock-free.
  bool ValidNow() const {
    return clock_.Monotonic().count() < valid_until_us_.load(std::memory_order_acquire);
  }
  // Also after it ran out, if nobody has taken it meanwhile: a store that did not answer for a
  // while costs nobody his place. kFenced when it is lost for good: this process must end what it
  // does in its name. Other errors may pass: try again.
  Status Renew();
  bool lost() const { return lost_.load(std::memory_order_acquire); }

  // Gives it back; not valid from here on. Idempotent.
  void Release();

 private:
  Lease(storage::rados::ObjectStore& store, const Clock& clock, LeaseOptions options)
      : store_(store), clock_(clock), options_(std::move(options)) {}
  void TrustFrom(Micros start);
  // Takes up a lease that ran out. kNotFound when it is another's.
  Status TakeUpAgain();

  storage::rados::ObjectStore& store_;
  const Clock& clock_;
  const LeaseOptions options_;
  std::atomic<int64_t> valid_until_us_{0};
  std::atomic<bool> lost_{false};
  bool released_ = false;
};

}  // namespace orrery::cluster
