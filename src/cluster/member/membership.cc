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
  ORRERY_ASSIGN(Roster roster, Roster::Open(store, options.fresh_cluster_id));
  if (options.predecessor) {
    if (const NodeId former = options.predecessor(roster.cluster_id()); former != NodeId()) {
      if (const Status inherited = Inherit(store, former); !inherited.has_value()) {
        LogWarn("the leases of node {}, which ran here before, have to run out: {}", former.value(),
                inherited.error().ToString());
      }
    }
  }
  ORRERY_ASSIGN(const NodeId self, roster.TakeNumber());
  std::unique_ptr<Membership> membership(
      new Membership(store, clock, std::move(options), std::move(roster), self));
  ORRERY_ASSIGN(membership->lease_,
                Lease::TryTake(store, clock,
                               {.object = NodeLeaseObject(self),
                                .cookie = CookieOf(self),
                                .duration = membership->options_.lease_duration}));
  return membership;
}

Membership::~Membership() { Stop(); }

Status Membership::CheckSoftware(const std::string& version) const {
  ORRERY_ASSIGN(const std::vector<NodeCard> cards, roster_.Members());
  std::vector<NodeCard> living;
  for (const NodeCard& card : cards) {
    if (card.id == self_) continue;
    ORRERY_ASSIGN(const bool lives, Lease::IsHeld(store_, NodeLeaseObject(card.id)));
    if (lives && card.damaged()) {
      return Fail(
          Code::kUnavailable,
          fmt::format("the entry of node {} in the list of the cluster is damaged, and that "
                      "node puts it right while it runs: start this one again",
                      card.id.value()));
    }
    if (lives) living.push_back(card);
  }
  return cluster::CheckSoftware(version, living);
}

Status Membership::Enter(NodeCard card) {
  card.id = self_;
  card.host_id = options_.host_id;
  card.store_address = store_.Address();
  MutexLock lock(card_mutex_);
  ORRERY_TRY(roster_.Enter(card));
  card_ = std::move(card);
  return {};
}

Status Membership::EnterAgain(const std::vector<NodeCard>& cards) {
  MutexLock lock(card_mutex_);
  if (!card_.has_value()) return {};
  const auto own = std::ranges::find(cards, self_, &NodeCard::id);
  // One that is read while a newer one is entered is whole.
  if (own != cards.end() && !own->damaged()) return {};
  LogWarn("the entry of this node (number {}) in the list of the cluster is {}: it is written anew",
          self_.value(), own == cards.end() ? "missing" : "damaged");
  return roster_.Enter(*card_);
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

Result<NodeId> Membership::FindManager(const std::vector<NodeCard>& cards) const {
  ORRERY_ASSIGN(const std::string address, Lease::HolderOf(store_, kManagerLeaseObject));
  const auto card = std::ranges::find(cards, address, &NodeCard::store_address);
  return card == cards.end() ? NodeId() : card->id;
}

Status Membership::Tick() {
  MutexLock lock(role_mutex_);
  if (stopped_ || role_ == nullptr) return {};
  sparing_.Begin();
  ORRERY_ASSIGN(const std::vector<NodeCard> cards, roster_.Members());
  role_->met(cards);
  ORRERY_TRY(EnterAgain(cards));
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
    ORRERY_ASSIGN(const bool spares, SparesManager());
    sparing_.End();
    return spares ? Status() : TryToLead(cards);
  }
  sparing_.Forget(followed_);
  sparing_.End();
  ORRERY_ASSIGN(const NodeId manager, FindManager(cards));
  if (manager == NodeId() || manager == followed_) return {};
  ORRERY_TRY(role_->system.Follow(manager));
  followed_ = manager;
  manager_ = manager.value();
  LogInfo("node {} manages the cluster", manager.value());
  return {};
}

Result<bool> Membership::SparesManager() {
  if (followed_ == NodeId()) return false;
  // Who gave it back does not come for it again.
  ORRERY_ASSIGN(const std::string holder, Lease::HolderOf(store_, kManagerLeaseObject));
  if (holder.empty()) return false;
  return sparing_.Spares(followed_, [this]() REQUIRES(role_mutex_) {
    return role_->answers && role_->answers(followed_);
  });
}

Result<bool> Membership::MayLead(const std::vector<NodeCard>& cards) const {
  if (role_->system.version().term != 0) return true;
  for (const NodeCard& card : cards) {
    if (card.id >= self_) continue;
    ORRERY_ASSIGN(const bool lives, Lease::IsHeld(store_, NodeLeaseObject(card.id)));
    if (lives) return false;
  }
  return true;
}

Status Membership::TryToLead(const std::vector<NodeCard>& cards) {
  followed_ = NodeId();
  manager_ = 0;
  role_->system.LoseManager();
  ORRERY_ASSIGN(const bool may_lead, MayLead(cards));
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
    for (const NodeCard& card : cards) {
      if (card.id == self_) continue;
      ORRERY_ASSIGN(const bool lives, Lease::IsHeld(store_, NodeLeaseObject(card.id)));
      if (lives) others.push_back(card.id);
    }
    auto opened = role_->open_system(roster_.system_made());
    if (!opened.has_value()) {
      return Fail(
          std::move(opened.error())
              .Annotate(opened.error().code() == Code::kCorruption
                            ? "the cluster's system store is damaged, restore the pool from "
                              "a backup"
                            : "the cluster's system store"));
    }
    ORRERY_TRY(roster_.NoteSystemMade());
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
    if (const Status left = roster_.Leave(self_); !left.has_value())
      LogInfo("the roster still names this node: {}", left.error().ToString());
  }
  lease_->Release();
}

}  // namespace orrery::cluster
