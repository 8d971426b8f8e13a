#include "cluster/member/membership.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/log.h"
#include "cluster/member/software.h"

namespace orrery::cluster {
namespace {

using storage::rados::ObjectStore;

std::string CookieOf(NodeId node) { return fmt::format("node {}", node.value()); }

// Others learn of its end as if the leases had run out.
Status Inherit(ObjectStore& store, NodeId predecessor) {
  const std::string cookie = CookieOf(predecessor);
  ORRERY_TRY(Lease::Inherit(store, NodeLeaseObject(predecessor), cookie));
  return Lease::Inherit(store, kManagerLeaseObject, cookie);
}

}  // namespace

Result<std::unique_ptr<Membership>> Membership::Join(ObjectStore& store, const Clock& clock,
                                                     Options options) {
  ORRERY_ASSIGN(MembershipList membership_list,
                MembershipList::Open(store, options.fresh_cluster_id));
  if (options.predecessor) {
    if (const NodeId former = options.predecessor(membership_list.cluster_id());
        former != NodeId()) {
      if (const Status inherited = Inherit(store, former); !inherited.has_value()) {
        LogWarn("waiting for the leases of node {}, which ran here before, to expire: {}",
                former.value(), inherited.error().ToString());
      }
    }
  }
  ORRERY_ASSIGN(const NodeId self, membership_list.TakeNumber());
  // Behind the number, whose entry must be the first.
  ORRERY_ASSIGN(std::string secret, membership_list.Secret(options.fresh_secret));
  std::unique_ptr<Membership> membership(new Membership(
      store, clock, std::move(options), std::move(membership_list), std::move(secret), self));
  ORRERY_ASSIGN(membership->lease_,
                Lease::TryTake(store, clock,
                               {.object = NodeLeaseObject(self),
                                .cookie = CookieOf(self),
                                .duration = membership->options_.lease_duration}));
  return membership;
}

Membership::~Membership() { Stop(); }

Result<std::vector<NodeDescriptor>> Membership::Living() const {
  ORRERY_ASSIGN(const std::vector<NodeDescriptor> descriptors, membership_list_.Members());
  std::vector<NodeDescriptor> living;
  for (const NodeDescriptor& descriptor : descriptors) {
    if (descriptor.id == self_) continue;
    ORRERY_ASSIGN(const bool lives, Lease::IsHeld(store_, NodeLeaseObject(descriptor.id)));
    if (lives && descriptor.damaged()) {
      return Fail(
          Code::kUnavailable,
          fmt::format("the entry of node {} in the list of the cluster is damaged, and that "
                      "node puts it right while it runs: start this one again",
                      descriptor.id.value()));
    }
    if (lives) living.push_back(descriptor);
  }
  return living;
}

Status Membership::CheckSoftware(const std::string& version) const {
  ORRERY_ASSIGN(const std::vector<NodeDescriptor> living, Living());
  return cluster::CheckSoftware(version, living);
}

Status Membership::CheckKeys(const std::string& marks) const {
  ORRERY_ASSIGN(const std::vector<NodeDescriptor> living, Living());
  for (const NodeDescriptor& descriptor : living) {
    if (HaveKeyInCommon(marks, descriptor.key_marks)) continue;
    return Fail(Code::kForbidden,
                fmt::format("node {} has other account keys", descriptor.id.value()));
  }
  return {};
}

Status Membership::Enter(NodeDescriptor descriptor) {
  descriptor.id = self_;
  descriptor.host_id = options_.host_id;
  descriptor.store_address = store_.Address();
  MutexLock lock(descriptor_mutex_);
  ORRERY_TRY(membership_list_.Enter(descriptor));
  descriptor_ = std::move(descriptor);
  return {};
}

Status Membership::EnterAgain(const std::vector<NodeDescriptor>& descriptors) {
  MutexLock lock(descriptor_mutex_);
  if (!descriptor_.has_value()) return {};
  const auto own = std::ranges::find(descriptors, self_, &NodeDescriptor::id);
  // One that is read while a newer one is entered is whole.
  if (own != descriptors.end() && !own->damaged()) return {};
  LogWarn("the entry of this node (number {}) in the list of the cluster is {}: it is written anew",
          self_.value(), own == descriptors.end() ? "missing" : "damaged");
  return membership_list_.Enter(*descriptor_);
}

void Membership::Connect(Role role) {
  MutexLock lock(role_mutex_);
  role_ = std::make_unique<Role>(std::move(role));
}

bool Membership::leads() const {
  MutexLock lock(lease_mutex_);
  return manager_lease_ != nullptr;
}

bool Membership::LeadsNow() const {
  MutexLock lock(lease_mutex_);
  return manager_lease_ != nullptr && manager_lease_->ValidNow();
}

Status Membership::RenewLease() { return lease_->Renew(); }

Status Membership::RenewManagerLease() {
  std::shared_ptr<Lease> manager_lease;
  {
    MutexLock lock(lease_mutex_);
    manager_lease = manager_lease_;
  }
  return manager_lease == nullptr ? Status() : manager_lease->Renew();
}

Status Membership::RenewLeases() {
  ORRERY_TRY(RenewLease());
  if (const Status renewed = RenewManagerLease(); !renewed.has_value())
    LogWarn("the manager's lease was not renewed: {}", renewed.error().ToString());
  return {};
}

Result<NodeId> Membership::FindManager(const std::vector<NodeDescriptor>& descriptors) const {
  ORRERY_ASSIGN(const std::string address, Lease::HolderOf(store_, kManagerLeaseObject));
  const auto descriptor = std::ranges::find(descriptors, address, &NodeDescriptor::store_address);
  return descriptor == descriptors.end() ? NodeId() : descriptor->id;
}

Status Membership::Tick() {
  MutexLock lock(role_mutex_);
  if (stopped_ || role_ == nullptr) return {};
  expiry_grace_.Begin();
  ORRERY_ASSIGN(const std::vector<NodeDescriptor> descriptors, membership_list_.Members());
  role_->met(descriptors);
  ORRERY_TRY(EnterAgain(descriptors));
  std::shared_ptr<Lease> manager_lease;
  {
    MutexLock lease_lock(lease_mutex_);
    manager_lease = manager_lease_;
  }
  if (manager_lease != nullptr) {
    // One that ran out may be renewed yet; what another commits meanwhile shuts this one out.
    if (manager_lease->lost()) StepDown();
    return {};
  }
  ORRERY_ASSIGN(const bool held, Lease::IsHeld(store_, kManagerLeaseObject));
  if (!held) {
    ORRERY_ASSIGN(const bool has_grace, ManagerHasGrace());
    expiry_grace_.End();
    return has_grace ? Status() : TryToLead(descriptors);
  }
  expiry_grace_.Forget(followed_);
  expiry_grace_.End();
  ORRERY_ASSIGN(const NodeId manager, FindManager(descriptors));
  if (manager == NodeId() || manager == followed_) return {};
  ORRERY_TRY(role_->system.Follow(manager));
  followed_ = manager;
  manager_ = manager.value();
  LogInfo("node {} manages the cluster", manager.value());
  return {};
}

Result<bool> Membership::ManagerHasGrace() {
  if (followed_ == NodeId()) return false;
  // A process that gave it back does not come for it again.
  ORRERY_ASSIGN(const std::string holder, Lease::HolderOf(store_, kManagerLeaseObject));
  if (holder.empty()) return false;
  return expiry_grace_.HasGrace(followed_, [this]() REQUIRES(role_mutex_) {
    return role_->answers && role_->answers(followed_);
  });
}

Result<bool> Membership::MayLead(const std::vector<NodeDescriptor>& descriptors) const {
  if (role_->system.version().term != 0) return true;
  for (const NodeDescriptor& descriptor : descriptors) {
    if (descriptor.id >= self_) continue;
    ORRERY_ASSIGN(const bool lives, Lease::IsHeld(store_, NodeLeaseObject(descriptor.id)));
    if (lives) return false;
  }
  return true;
}

Status Membership::TryToLead(const std::vector<NodeDescriptor>& descriptors) {
  followed_ = NodeId();
  manager_ = 0;
  role_->system.LoseManager();
  ORRERY_ASSIGN(const bool may_lead, MayLead(descriptors));
  if (!may_lead) return {};
  auto taken = Lease::TryTake(store_, clock_,
                              {.object = kManagerLeaseObject,
                               .cookie = CookieOf(self_),
                               .duration = options_.lease_duration});
  if (!taken.has_value()) {
    if (taken.error().code() == Code::kAlreadyExists) return {};  // another was faster
    return Fail(std::move(taken).error());
  }
  {
    MutexLock lease_lock(lease_mutex_);
    manager_lease_ = *std::move(taken);
  }
  const auto lead = [&]() REQUIRES(role_mutex_) -> Status {
    std::vector<NodeId> others;
    for (const NodeDescriptor& descriptor : descriptors) {
      if (descriptor.id == self_) continue;
      ORRERY_ASSIGN(const bool lives, Lease::IsHeld(store_, NodeLeaseObject(descriptor.id)));
      if (lives) others.push_back(descriptor.id);
    }
    auto opened = role_->open_system(membership_list_.system_made());
    if (!opened.has_value()) {
      return Fail(
          std::move(opened.error())
              .Annotate(opened.error().code() == Code::kCorruption
                            ? "the cluster's system store is damaged, restore the pool from "
                              "a backup"
                            : "the cluster's system store"));
    }
    ORRERY_TRY(membership_list_.NoteSystemMade());
    return role_->system.Lead(*std::move(opened), others);
  };
  if (const Status led = lead(); !led.has_value()) {
    StepDown();
    return led;
  }
  manager_ = self_.value();
  LogInfo("this node (number {}) manages the cluster", self_.value());
  return {};
}

void Membership::StepDown() {
  manager_ = 0;
  role_->system.LoseManager();
  MutexLock lease_lock(lease_mutex_);
  manager_lease_.reset();
}

void Membership::Stop() {
  {
    MutexLock lock(role_mutex_);
    if (std::exchange(stopped_, true)) return;
    if (role_ != nullptr) StepDown();
  }
  if (lease_ == nullptr) return;
  if (!lease_->lost()) {
    if (const Status left = membership_list_.Leave(self_); !left.has_value())
      LogInfo("the membership list still names this node: {}", left.error().ToString());
  }
  lease_->Release();
}

}  // namespace orrery::cluster
