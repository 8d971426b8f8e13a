// The RemoteService answers what other nodes' gateways ask (remote_gateway.h), each on the gateway
// of this node and only on partitions that are open here: kMoved for others. It never asks a third
// node, so a request makes two hops at most and nodes that disagree about an owner cannot send one
// in circles.
//
// It also says kMoved when this node's catalog does not know the container, or not yet that version
// of it: what the caller knows will be known here in a moment. A newer version does no harm: writes
// and reads go by the newest settings anyway, as they do when they arrive here. And it says so
// while it stops: then nothing was done either, and somebody else will have the partition.
//
// Requests within a transaction of another node (kWithinTransaction) are answered by the gateway of
// its branch here, and what begins and ends branches by the TransactionCoordinator.
//
// Requests that must read the disk run on threads of their own. Those of the I/O pool may all be
// waiting for other nodes, which would wait for this one.
//
// Thread-safe. Stop() before the gateways go.
#pragma once

#include <memory>
#include <string>

#include "base/status.h"
#include "base/thread_pool.h"
#include "cluster/peers.h"
#include "gateway/gateway.h"
#include "gateway/program/program_registry.h"
#include "gateway/row/row_gateway.h"

namespace orrery::gateway {

class RemoteService final : public cluster::PeerService {
 public:
  static constexpr size_t kThreads = 4;
  static constexpr size_t kCommitThreads = 3;
  static constexpr size_t kQueueMax = 4'096;  // more are refused with kOverloaded

  // All must outlive it.
  RemoteService(const Catalog& catalog, Gateway& gateway, RowGateway& rows,
                const ProgramRegistry& programs)
      : catalog_(catalog),
        gateway_(gateway),
        rows_(rows),
        programs_(programs),
        pool_("peer-io", kThreads, kQueueMax),
        commits_("peer-commit", kCommitThreads, kQueueMax) {}

  // Returns whether a method is the gateway's.
  static bool Offers(cluster::PeerMethod method);
  // kUnsupported, as an answer, for others.
  void Serve(NodeId caller, cluster::PeerMethod method, std::string request,
             Answer answer) override;
  // Ends its threads; what comes later is refused.
  void Stop() {
    pool_.Stop();
    commits_.Stop();
  }

 private:
  struct Call;
  using CallRef = std::unique_ptr<Call>;

  Result<ContainerRef> Find(ContainerId id, uint64_t version) const;
  void Start(CallRef call);
  // Runs `work`, which makes the answer's body, where it may block.
  template <typename Work>
  void RunOnPool(CallRef call, Work work) {
    RunOn(pool_, std::move(call), std::move(work));
  }
  template <typename Work>
  void RunOn(ThreadPool& pool, CallRef call, Work work);

  void WriteItems(CallRef call);
  void RunProgram(CallRef call);
  void ReadItem(CallRef call);
  void Scan(CallRef call);
  void WriteRows(CallRef call);
  void ReadRow(CallRef call);
  // Of a branch, where it may block.
  void StartWithin(CallRef call);
  Result<std::string> AnswerWithin(const Call& call) const;
  // A step of a commit, on a partition that is open here.
  Result<std::string> StepCommit(const Call& call) const;

  // Those that always may block; by the method.
  Result<std::string> MakePage(const Call& call) const;
  Result<std::string> BuildIndex(const Call& call) const;
  Result<std::string> DropIndex(const Call& call) const;

  const Catalog& catalog_;
  Gateway& gateway_;
  RowGateway& rows_;
  const ProgramRegistry& programs_;
  ThreadPool pool_;
  // For steps of commits, which readers on the other threads may be waiting for.
  ThreadPool commits_;
};

}  // namespace orrery::gateway
