// The system store of a cluster, as one of its nodes has it: a copy in memory that follows the
// manager's, or, on the manager, the store itself.
//
// A commit goes to the manager, who writes it and sends it to every node it knows of; it is done
// when all of them have applied it. A node that does not answer holds commits up until the manager
// gives it up (Forget), which it does when that node's lease has run out (manager.h). So what was
// acknowledged is known to every node that still answers clients.
//
// While no manager is known nothing can be committed (kUnavailable), and everything can be read.
//
// Thread-safe.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"
#include "base/thread_pool.h"
#include "cluster/peers.h"
#include "cluster/system/local_system_store.h"
#include "cluster/system/system_copy.h"
#include "cluster/system/system_store.h"

namespace orrery::cluster {

class ClusterSystem final : public SystemStore {
 public:
  // Called on a thread of its own after the copy has changed, before the manager is told so.
  using Applied = std::function<void()>;
  // `peers` must outlive it.
  ClusterSystem(NodeId self, Peers& peers);
  ~ClusterSystem() override;

  // From here on; what came before was not told.
  void OnApplied(Applied applied) EXCLUDES(applied_mutex_);

  // Takes the manager's copy and follows it from here on.
  Status Follow(NodeId manager) EXCLUDES(mutex_);
  // Becomes the manager's: `store` is the truth from here on, in a new term. `nodes` are all others
  // that may answer clients.
  Status Lead(std::unique_ptr<LocalSystemStore> store, const std::vector<NodeId>& nodes)
      EXCLUDES(mutex_, lead_mutex_);
  // No manager is known: what it had told stays.
  void LoseManager() EXCLUDES(mutex_, lead_mutex_);

  // On the manager: a node that need not hear of commits any more, as nobody hears of it. Nothing
  // that it asks for later is done: numbers of nodes are never given again.
  void Forget(NodeId node) EXCLUDES(mutex_);
  // On the manager: those that every commit is told to.
  std::vector<NodeId> Members() const EXCLUDES(mutex_);
  // On the manager: nodes that have not applied a commit for so long.
  std::vector<NodeId> Laggards(std::chrono::milliseconds patience) const EXCLUDES(mutex_);

  // On the manager: whether the node hears of commits.
  bool Follows(NodeId node) const EXCLUDES(mutex_);

  SystemVersion version() const EXCLUDES(mutex_);

  Status Commit(Change change) override EXCLUDES(mutex_, lead_mutex_);
  std::optional<Error> Failure() const override EXCLUDES(mutex_);
  Status Reopen() override EXCLUDES(mutex_);
  Result<std::optional<std::string>> Get(std::string_view key) const override EXCLUDES(mutex_);
  Status ForEach(std::string_view prefix, const Visit& visit) const override EXCLUDES(mutex_);
  Result<uint64_t> NextId(std::string_view sequence, Change& change) override EXCLUDES(mutex_);

  // kCommitSystem, kTakeId, kFollowSystem, kApplySystem, as PeerService::Serve has it.
  void Serve(NodeId caller, PeerMethod method, std::string request, PeerService::Answer answer);

  void Stop();

 private:
  using Entries = std::map<std::string, std::string, std::less<>>;
  struct Member {
    SystemVersion has;  // has told that it applied this
    std::optional<std::chrono::steady_clock::time_point> waited_for_since;
    bool in_flight = false;
  };
  // A message for one member.
  struct Push {
    NodeId node;
    SystemVersion version;
    std::string request;
  };

  // As the manager. `caller` may be this node.
  Status RefuseForgotten(NodeId caller) const EXCLUDES(mutex_);
  Status CommitHere(const Change& change) EXCLUDES(mutex_, lead_mutex_);
  Result<uint64_t> NextIdHere(std::string_view sequence) EXCLUDES(mutex_, lead_mutex_);
  Result<std::string> WelcomeMember(NodeId member) EXCLUDES(mutex_, lead_mutex_);
  // Within the store's commit: nothing else is committed meanwhile.
  void Spread(const Change& change) EXCLUDES(mutex_);
  bool AnyBehindLocked() const REQUIRES(mutex_);
  std::vector<Push> TakePushesLocked() REQUIRES(mutex_);
  std::string PushToLocked(const Member& member) const REQUIRES(mutex_);
  void Send(Push push) EXCLUDES(mutex_);
  void Heard(NodeId node, SystemVersion sent, const Result<std::string>& answer) EXCLUDES(mutex_);

  void TellApplied() EXCLUDES(applied_mutex_);

  // As a follower.
  Result<std::string> ApplyPushed(NodeId manager, std::string_view bytes) EXCLUDES(mutex_);
  Status Install(SystemCopy copy, NodeId manager) EXCLUDES(mutex_);

  const NodeId self_;
  Peers& peers_;

  Mutex applied_mutex_;  // held while it is called
  Applied applied_ GUARDED_BY(applied_mutex_);

  mutable Mutex mutex_;
  CondVar changed_;
  SystemCopy copy_ GUARDED_BY(mutex_);
  NodeId manager_ GUARDED_BY(mutex_);              // 0: none known; may be this node
  std::optional<Error> doubt_ GUARDED_BY(mutex_);  // a commit whose outcome is unknown
  std::map<NodeId, Member> members_ GUARDED_BY(mutex_);
  std::set<NodeId> forgotten_ GUARDED_BY(mutex_);  // since this node leads
  SystemChange last_change_ GUARDED_BY(mutex_);    // leads to copy_.version()
  SystemVersion last_base_ GUARDED_BY(mutex_);     // from here
  bool stopping_ GUARDED_BY(mutex_) = false;

  mutable Mutex lead_mutex_;  // taken before mutex_
  std::shared_ptr<LocalSystemStore> store_ GUARDED_BY(lead_mutex_);

  Mutex apply_mutex_;  // one push is applied at a time; taken before the others
  ThreadPool calls_;   // of other nodes; last, as its threads use the others
};

}  // namespace orrery::cluster
