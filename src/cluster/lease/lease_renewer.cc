#include "cluster/lease/lease_renewer.h"

#include <utility>

#include "base/log.h"

namespace orrery::cluster {
namespace {

// Of the lease's duration: between renewals, and after one that failed.
constexpr int kPauseShare = 3;
constexpr int kRetryShare = 12;

bool IsLoss(const Error& error) {
  return error.code() == Code::kNotFound || error.code() == Code::kFenced;
}

}  // namespace

LeaseRenewer::LeaseRenewer(NodeLease& lease, Lost lost)
    : lease_(lease), lost_(std::move(lost)), thread_([this] { Run(); }) {}

void LeaseRenewer::Stop() {
  {
    MutexLock lock(mutex_);
    stopping_ = true;
    stop_asked_.NotifyAll();
  }
  if (thread_.joinable()) thread_.join();
}

void LeaseRenewer::Run() {
  Status renewed;
  for (;;) {
    {
      // A renewal that took long is trusted from its start, and may be worth nothing at its end.
      const bool good = renewed.has_value() && lease_.ValidNow();
      const auto pause = lease_.options().duration / (good ? kPauseShare : kRetryShare);
      MutexLock lock(mutex_);
      // Woken early by nobody but Stop, a renewal too many does no harm.
      if (!stopping_) stop_asked_.WaitFor(mutex_, pause);
      if (stopping_) return;
    }
    renewed = lease_.Renew();
    if (renewed.has_value()) continue;
    LogWarn("cluster: the lease {} was not renewed: {}", lease_.options().object,
            renewed.error().ToString());
    if (IsLoss(renewed.error())) return lost_(renewed.error());
  }
}

}  // namespace orrery::cluster
