// The membership list of a cluster: what it is, and which nodes there are. One object of the store:
//
//   "cluster"   attributes  format      "orrery cluster, format 1"
//                           id          32 hex digits, drawn when the cluster was made
//                           system      "made": from then on a missing system store is damage
//               entries     last_node   the last number that a node got, decimal
//                           node/<number, 16 hex digits>   a descriptor (node_descriptor.h)
//                           secret      64 hex digits: by what nodes know each other
//
// A node is on it from its start until it leaves or the manager finds that its lease has run out.
//
// Thread-safe, as far as the store is.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "cluster/member/node_descriptor.h"
#include "storage/rados/object/object_store.h"

namespace orrery::cluster {

inline constexpr size_t kClusterSecretDigits = 64;

class MembershipList {
 public:
  // Finds the cluster, or makes it where nothing is. `fresh_id` is what a new one is called.
  //   kInvalidArgument  there are objects, and no cluster of ours
  //   kUnsupported      of a newer format
  //   kCorruption       a cluster of ours, without the object that names it
  // `store` must outlive the membership list.
  static Result<MembershipList> Open(storage::rados::ObjectStore& store,
                                     const std::string& fresh_id);

  const std::string& cluster_id() const { return cluster_id_; }
  // Returns whether the cluster has had a system store: it never gets an empty one again.
  bool system_made() const { return system_made_; }
  Status NoteSystemMade();  // one thread at a time

  // By what the nodes of the cluster know each other: drawn when the cluster was made, or when the
  // first node started that knows of it, and the same for all since. `fresh` is what it is if there
  // is none, kClusterSecretDigits of them. Whoever can read the pool knows it, and nobody else: no
  // client has a part in it. kCorruption: the entry is damaged.
  Result<std::string> Secret(const std::string& fresh);

  // A number that no node had before.
  Result<NodeId> TakeNumber();
  Status Enter(const NodeDescriptor& descriptor);
  Status Leave(NodeId node);  // also when it is not there
  // In order of their numbers. One whose entry is damaged has nothing but its number: who it is of
  // enters anew (membership.h).
  Result<std::vector<NodeDescriptor>> Members() const;

 private:
  MembershipList(storage::rados::ObjectStore& store, std::string cluster_id, bool system_made)
      : store_(&store), cluster_id_(std::move(cluster_id)), system_made_(system_made) {}

  storage::rados::ObjectStore* store_;
  std::string cluster_id_;
  bool system_made_;
};

// The object that a node holds its lease on (lease.h), and the manager its own.
std::string NodeLeaseObject(NodeId node);
inline constexpr const char* kManagerLeaseObject = "manager";

}  // namespace orrery::cluster
