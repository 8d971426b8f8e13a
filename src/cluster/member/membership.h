// A Membership is this process's place in its cluster: its number and its lease, who else there is,
// and who the manager is. If nobody is, it becomes the manager itself.
//
// RenewLease() and RenewManagerLease() must be called at least three times within
// LeaseOptions::duration, each on a thread that does nothing else: the objects of both may be
// served again at different times, and neither renewal is to wait for the other. Tick() every half
// second or so, on another, as it may take a while.
//
// ValidNow() from any thread.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"
#include "base/status.h"
#include "cluster/lease/expiry_grace.h"
#include "cluster/lease/lease.h"
#include "cluster/member/membership_list.h"
#include "cluster/member/node_descriptor.h"
#include "cluster/system/cluster_system.h"
#include "cluster/system/local_system_store.h"
#include "storage/rados/object/object_store.h"

namespace orrery::cluster {

class Membership {
 public:
  struct Options {
    std::string fresh_cluster_id;  // 32 hex digits: what a new cluster is called
    std::string fresh_secret;      // 64 random ones: the secret of a cluster that has none
    std::string host_id;           // 16 bytes
    std::chrono::milliseconds lease_duration{5'000};
    // Returns the node of the cluster with this id that certainly has ended: the process before
    // this one, on the same machine. 0: none. Its leases are not waited for.
    std::function<NodeId(const std::string& cluster_id)> predecessor{};
  };
  // Finds or makes the cluster and takes a number and a lease. Errors are MembershipList::Open's
  // and Lease::TryTake's. `store` and `clock` must outlive it.
  static Result<std::unique_ptr<Membership>> Join(storage::rados::ObjectStore& store,
                                                  const Clock& clock, Options options);
  // Leaves: the manager need not wait for the lease to run out.
  ~Membership();

  NodeId self() const { return self_; }
  const std::string& cluster_id() const { return membership_list_.cluster_id(); }
  // By what nodes of this cluster know each other; told to nobody.
  const std::string& secret() const { return secret_; }
  MembershipList& membership_list() { return membership_list_; }
  // The lease that says whether this node may answer: see lease.h.
  const Lease& lease() const { return *lease_; }

  // Before Enter: whether those that run now can run together with this version (software.h).
  Status CheckSoftware(const std::string& version) const;
  // Likewise: whether those that run now have one of the account keys that these are the marks of
  // (KeyMarks). A node that has others would let in other clients than they do. kForbidden names
  // one that has none of them.
  Status CheckKeys(const std::string& marks) const;
  // Shows the node to the others, or anew with what changed. The store's address is filled in. Tick
  // repeats it when the entry was lost or damaged.
  Status Enter(NodeDescriptor descriptor) EXCLUDES(descriptor_mutex_);

  struct Role {
    ClusterSystem& system;
    // Opens the system store, taking it from whoever had it; makes it unless `must_exist`.
    std::function<Result<std::unique_ptr<LocalSystemStore>>(bool must_exist)> open_system;
    // Called with the members of the cluster before any of them is called.
    std::function<void(const std::vector<NodeDescriptor>&)> met;
    // Returns whether the process of that node answers a call, within kAnswerPatience
    // (expiry_grace.h).
    std::function<bool(NodeId)> answers;
  };
  // Sets the parts that Tick needs; all must outlive the membership, or Stop() before they go.
  void Connect(Role role) EXCLUDES(role_mutex_);

  // kFenced: the node's lease is lost, and with it the right to do anything.
  Status RenewLease();
  // If this node leads. When that lease is lost, Tick steps down: another leads, or will.
  Status RenewManagerLease() EXCLUDES(lease_mutex_);
  // Both, one after the other.
  Status RenewLeases() EXCLUDES(lease_mutex_);
  // Meets the others, follows the manager or becomes it. Errors pass, or end in RenewLeases.
  Status Tick() EXCLUDES(role_mutex_, lease_mutex_);
  // Returns whether it took the manager's place and has not stepped down; and whether that place
  // certainly is its own at this moment.
  bool leads() const EXCLUDES(lease_mutex_);
  bool LeadsNow() const EXCLUDES(lease_mutex_);
  // Returns the manager of the cluster, as far as this node knows; 0: nobody. From any thread.
  NodeId manager() const { return NodeId(manager_.load()); }

  // Gives the leases back, the manager's first. Tick does nothing afterwards.
  void Stop() EXCLUDES(role_mutex_, lease_mutex_);

 private:
  // Nodes that run now and are on the list, but this one. kUnavailable: one has a damaged entry.
  Result<std::vector<NodeDescriptor>> Living() const;
  Membership(storage::rados::ObjectStore& store, const Clock& clock, Options options,
             MembershipList membership_list, std::string secret, NodeId self)
      : store_(store),
        clock_(clock),
        options_(std::move(options)),
        membership_list_(std::move(membership_list)),
        secret_(std::move(secret)),
        self_(self),
        expiry_grace_(clock) {}
  // Nobody has the manager's lease: whether whoever had it gets a while to renew it.
  Result<bool> ManagerHasGrace() REQUIRES(role_mutex_);
  // Returns the node that took the manager's lease last; 0 when that was given back, or is not on
  // the membership list.
  Result<NodeId> FindManager(const std::vector<NodeDescriptor>& descriptors) const;
  // Enters this node again when others read something else than what it entered.
  Status EnterAgain(const std::vector<NodeDescriptor>& descriptors) EXCLUDES(descriptor_mutex_);
  // A node that has not joined leaves leading to those that came before it: they may know more, and
  // not let it in.
  Result<bool> MayLead(const std::vector<NodeDescriptor>& descriptors) const REQUIRES(role_mutex_);
  Status TryToLead(const std::vector<NodeDescriptor>& descriptors) REQUIRES(role_mutex_)
      EXCLUDES(lease_mutex_);
  void StepDown() REQUIRES(role_mutex_) EXCLUDES(lease_mutex_);

  storage::rados::ObjectStore& store_;
  const Clock& clock_;
  const Options options_;
  MembershipList membership_list_;
  const std::string secret_;
  const NodeId self_;
  std::unique_ptr<Lease> lease_;  // set by Join

  Mutex role_mutex_;  // one Tick at a time; taken before the other
  std::unique_ptr<Role> role_ GUARDED_BY(role_mutex_);
  NodeId followed_ GUARDED_BY(role_mutex_);
  ExpiryGrace expiry_grace_ GUARDED_BY(role_mutex_);
  bool stopped_ GUARDED_BY(role_mutex_) = false;
  std::atomic<uint64_t> manager_{0};

  Mutex descriptor_mutex_;
  std::optional<NodeDescriptor> descriptor_ GUARDED_BY(descriptor_mutex_);  // as it was entered

  mutable Mutex lease_mutex_;
  std::shared_ptr<Lease> manager_lease_ GUARDED_BY(lease_mutex_);  // null: another leads, or nobody
};

}  // namespace orrery::cluster
