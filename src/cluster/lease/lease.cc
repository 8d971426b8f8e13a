#include "cluster/lease/lease.h"

#include <fmt/core.h>

#include "base/log.h"

namespace orrery::cluster {
namespace {

using storage::rados::ObjectStore;
using storage::rados::ObjectWrite;

constexpr const char* kLockName = "lease";
constexpr const char* kHolder = "holder";
// Attributes that are compared are never empty.
constexpr const char* kNobody = "-";
constexpr const char* kClosedCookie = "closed";
// In one call of Renew, while answers come too late to be worth anything.
constexpr int kRenewalsMax = 3;

}  // namespace

Result<bool> Lease::IsHeld(ObjectStore& store, const std::string& object) {
  auto holder = store.HolderOf(object, kLockName);
  if (!holder.has_value() && holder.error().code() == Code::kNotFound) return false;
  if (!holder.has_value()) return Fail(std::move(holder).error());
  return holder->has_value() && (*holder)->cookie != kClosedCookie;
}

Result<bool> Lease::Close(ObjectStore& store, const std::string& object) {
  const Status locked = store.Lock(object, kLockName, kClosedCookie, kClosedFor);
  if (locked.has_value()) return true;
  if (locked.error().code() != Code::kAlreadyExists) return Fail(locked.error());
  // The process that closed it may have ended before it did anything about it.
  ORRERY_ASSIGN(const auto holder, store.HolderOf(object, kLockName));
  return holder.has_value() && holder->cookie == kClosedCookie;
}

Status Lease::Inherit(ObjectStore& store, const std::string& object, const std::string& cookie) {
  ORRERY_ASSIGN(const auto holder, store.HolderOf(object, kLockName));
  if (!holder.has_value() || holder->cookie != cookie) return {};
  ORRERY_TRY(store.Blocklist(holder->address));
  const Status broken = store.BreakLock(object, kLockName, *holder);
  // It ran out meanwhile.
  if (!broken.has_value() && broken.error().code() == Code::kNotFound) return {};
  return broken;
}

Result<std::string> Lease::HolderOf(ObjectStore& store, const std::string& object) {
  ORRERY_ASSIGN(const auto attributes, store.Attributes(object));
  const auto holder = attributes.find(kHolder);
  if (holder == attributes.end() || holder->second == kNobody) return std::string();
  return holder->second;
}

Result<std::unique_ptr<Lease>> Lease::TryTake(ObjectStore& store, const Clock& clock,
                                              LeaseOptions options) {
  // Its first holder makes the object; another may be as fast.
  if (const Status made =
          store.Apply(options.object, ObjectWrite().CreateFirst().SetAttribute(kHolder, kNobody));
      !made.has_value() && made.error().code() != Code::kAlreadyExists) {
    return Fail(made.error());
  }
  const Micros start = clock.Monotonic();
  ORRERY_TRY(store.Lock(options.object, kLockName, options.cookie, options.duration));
  std::unique_ptr<Lease> lease(new Lease(store, clock, std::move(options)));
  const std::string& object = lease->options_.object;
  ORRERY_ASSIGN(const auto attributes, store.Attributes(object));
  const auto former = attributes.find(kHolder);
  if (former == attributes.end()) {
    return Fail(Code::kCorruption,
                fmt::format("the lease object '{0}' has no attribute 'holder': stop all nodes, and "
                            "remove it with 'rados rm {0}' in the pool and namespace of the "
                            "cluster; it is made anew",
                            object));
  }
  if (former->second != kNobody && former->second != store.Address())
    ORRERY_TRY(store.Blocklist(former->second));
  // Refused when this process slept so long that another took the lease meanwhile.
  const Status named = store.Apply(object, ObjectWrite()
                                               .RequireAttribute(kHolder, former->second)
                                               .SetAttribute(kHolder, store.Address()));
  if (!named.has_value()) return Fail(named.error());
  lease->TrustFrom(start);
  // The steps above may have taken longer than the lease lasts.
  ORRERY_TRY(lease->Renew());
  return lease;
}

Lease::~Lease() { Release(); }

void Lease::TrustFrom(Micros start) {
  const Micros trusted = std::chrono::duration_cast<Micros>(options_.duration) * 3 / 4;
  valid_until_us_.store((start + trusted).count(), std::memory_order_release);
}

Status Lease::Renew() {
  if (lost_.load() || released_)
    return Fail(Code::kFenced, fmt::format("the lease '{}' is not held", options_.object));
  Status renewed;
  // An answer that came so late that it is worth nothing any more is asked for again at once.
  for (int i = 0; i < kRenewalsMax; ++i) {
    const Micros start = clock_.Monotonic();
    renewed = store_.RenewLock(options_.object, kLockName, options_.cookie, options_.duration);
    if (renewed.has_value()) {
      TrustFrom(start);
    } else if (renewed.error().code() == Code::kNotFound) {
      renewed = TakeUpAgain();
    }
    if (!renewed.has_value() || ValidNow()) break;
  }
  if (renewed.has_value()) return {};
  const Code code = renewed.error().code();
  if (code != Code::kNotFound && code != Code::kAlreadyExists && code != Code::kFenced)
    return renewed;
  valid_until_us_.store(0, std::memory_order_release);
  lost_.store(true, std::memory_order_release);
  return Fail(Code::kFenced, fmt::format("the lease '{}' ran out: {}", options_.object,
                                         renewed.error().ToString()));
}

Status Lease::TakeUpAgain() {
  const Micros start = clock_.Monotonic();
  ORRERY_TRY(store_.Lock(options_.object, kLockName, options_.cookie, options_.duration));
  // A process that had it meanwhile has put its name there.
  ORRERY_ASSIGN(const std::string holder, HolderOf(store_, options_.object));
  if (holder != store_.Address()) return Fail(Code::kNotFound, "another has had it meanwhile");
  TrustFrom(start);
  return {};
}

void Lease::Release() {
  if (std::exchange(released_, true) || lost_.load()) return;
  valid_until_us_.store(0, std::memory_order_release);
  const Status unnamed = store_.Apply(
      options_.object,
      ObjectWrite().RequireAttribute(kHolder, store_.Address()).SetAttribute(kHolder, kNobody));
  const Status unlocked = store_.Unlock(options_.object, kLockName, options_.cookie);
  // It runs out by itself.
  for (const Status& status : {unnamed, unlocked}) {
    if (!status.has_value())
      LogInfo("the lease '{}' was not given back: {}", options_.object, status.error().ToString());
  }
}

}  // namespace orrery::cluster
