// The TransactionCoordinator's work over nodes: the start of a transaction at all of them, and what
// it does for the transactions of others.
#include <latch>
#include <mutex>
#include <utility>

#include "base/has_code.h"
#include "base/log.h"
#include "gateway/remote/envelope.h"
#include "gateway/snapshot/snapshot_transaction.h"
#include "gateway/snapshot/transaction_coordinator.h"

namespace orrery::gateway {

using cluster::PeerMethod;

namespace {

// When a commit may still be made that a branch was asked for. Less than what its transaction waits
// for the outcome, by what clocks may differ.
constexpr Micros kCommitPatience = std::chrono::seconds(30);

}  // namespace

std::set<NodeId> TransactionCoordinator::AwakeOwners(const cluster::Topology& topology) {
  std::set<NodeId> owners;
  for (const auto& [id, remote] : topology.remote) owners.insert(remote.owner);
  owners.erase(NodeId());
  const Micros now = parts_.clock.Monotonic();
  MutexLock lock(silent_mutex_);
  for (const auto& [node, until] : silent_until_)
    if (now < until) owners.erase(node);
  return owners;
}

std::map<NodeId, BranchBegun> TransactionCoordinator::AskToBegin(
    const std::set<NodeId>& nodes, const BranchBegin& begin,
    const std::function<void()>& meanwhile) {
  std::vector<std::pair<NodeId, Result<BranchBegun>>> answers;
  for (const NodeId node : nodes)
    answers.emplace_back(node, Fail(Code::kUnavailable, "the node has not answered"));
  std::latch answered(static_cast<ptrdiff_t>(answers.size()));
  const std::string request = WrapRequest({}, EncodeBegin(begin));
  for (auto& [node, begun] : answers) {
    parts_.peers->Call(node, PeerMethod::kBeginTransaction, request, kBeginPatience,
                       [&answered, &begun](Result<std::string> answer) {
                         if (answer.has_value()) answer = OpenAnswer(*answer);
                         begun = answer.has_value() ? DecodeBegun(*answer)
                                                    : Fail(std::move(answer).error());
                         answered.count_down();
                       });
  }
  meanwhile();
  answered.wait();
  std::map<NodeId, BranchBegun> good;
  for (auto& [node, begun] : answers) {
    if (begun.has_value()) {
      // A clock that is far ahead is refused: the snapshots there do not fit then.
      static_cast<void>(parts_.times.Observe(begun->latest));
      good.emplace(node, *begun);
      continue;
    }
    MutexLock lock(silent_mutex_);
    silent_until_[node] = parts_.clock.Monotonic() + kSilence;
  }
  return good;
}

Result<bool> TransactionCoordinator::TakeCutOverNodes(SnapshotTransaction& transaction) {
  TransactionLink& link = *transaction.link_;
  std::set<NodeId> nodes = AwakeOwners(*parts_.node.topology());
  const Micros start = parts_.times.Next();
  BranchBegin begin{.step = BranchBegin::Step::kAnnounce, .id = link.id(), .time = start};
  // A write that follows from one that no snapshot has comes after the first snapshot, so after all
  // nodes know of the moment, and has a later time.
  const auto known = AskToBegin(nodes, begin, [] {});
  std::erase_if(nodes, [&](NodeId node) { return !known.contains(node); });
  for (const NodeId node : nodes) link.NoteBranch(node);
  begin.step = BranchBegin::Step::kTake;
  Result<bool> fits = true;
  // A node that is not heard of now has no branch: what it has open is not to be had.
  const auto taken = AskToBegin(nodes, begin, [&] { fits = TakeCut(transaction, start); });
  ORRERY_TRY(fits);
  for (const auto& [node, begun] : taken) *fits = *fits && begun.fits;
  return fits;
}

Result<BranchEnded> TransactionCoordinator::AskToCommit(NodeId node, const TransactionId& id,
                                                        std::string receipt, std::string value) {
  const BranchEnd end{.act = BranchEnd::Act::kCommit,
                      .id = id,
                      .deadline = parts_.clock.Now() + kCommitPatience,
                      .receipt = std::move(receipt),
                      .value = std::move(value)};
  ORRERY_ASSIGN(const std::string answer,
                parts_.peers->CallAndWait(node, PeerMethod::kEndTransaction,
                                          WrapRequest({}, EncodeEnd(end)), kPatience));
  ORRERY_ASSIGN(const std::string body, OpenAnswer(answer));
  return DecodeEnded(body);
}

void TransactionCoordinator::EndBranches(const TransactionLink& link) const {
  const std::string request = WrapRequest({}, EncodeEnd({.act = BranchEnd::Act::kAbort,
                                                         .id = link.id(),
                                                         .deadline = {},
                                                         .receipt = {},
                                                         .value = {}}));
  for (const NodeId node : link.branches()) {
    // One that this does not reach ends when it is asked for (EndForgottenBranches).
    parts_.peers->Call(node, PeerMethod::kEndTransaction, request, kBeginPatience,
                       [](const Result<std::string>&) {});
  }
}

bool TransactionCoordinator::Offers(PeerMethod method) {
  return method >= PeerMethod::kBeginTransaction && method <= PeerMethod::kPrepareTransaction;
}

Result<std::string> TransactionCoordinator::Serve(const Gateway& gateway, PeerMethod method,
                                                  std::string_view body) {
  switch (method) {
    case PeerMethod::kBeginTransaction: {
      ORRERY_ASSIGN(const BranchBegin begin, DecodeBegin(body));
      return EncodeBegun(ServeBegin(gateway, begin));
    }
    case PeerMethod::kEndTransaction: {
      ORRERY_ASSIGN(const BranchEnd end, DecodeEnd(body));
      return EncodeEnded(ServeEnd(end));
    }
    case PeerMethod::kFindReceipt: {
      ORRERY_ASSIGN(const ReceiptQuestion question, DecodeReceiptQuestion(body));
      ORRERY_ASSIGN(const ReceiptAnswer answer, FindReceiptHere(question));
      return EncodeReceiptAnswer(answer);
    }
    case PeerMethod::kPrepareTransaction: {
      ORRERY_ASSIGN(const PrepareRequest request, DecodePrepare(body));
      return EncodePrepareAnswer(ServePrepare(request));
    }
    case PeerMethod::kTellOpenTransactions: {
      ORRERY_ASSIGN(const auto numbers, DecodeNumbers(body));
      return EncodeNumbers(TellOpen(numbers));
    }
    default:
      return Fail(Code::kUnsupported, "the method is not one of transactions");
  }
}

BranchBegun TransactionCoordinator::ServeBegin(const Gateway& gateway, const BranchBegin& begin) {
  BranchBegun begun;
  const bool is_near = parts_.times.Observe(begin.time);
  if (is_near && begin.step == BranchBegin::Step::kTake) {
    const auto branch = branches_.Enter(begin.id, parts_.clock.Monotonic());
    if (branch != nullptr) {
      const std::unique_lock lock(branch->mutex);
      if (branch->transaction == nullptr) {
        branch->transaction.reset(new SnapshotTransaction(
            *this, gateway, NewHolder(), std::make_shared<TransactionLink>(begin.id),
            /*is_branch=*/true));
      }
      const Result<bool> fits = TakeCut(*branch->transaction, begin.time);
      begun.fits = !branch->ended && fits.has_value() && *fits;
    }
  }
  begun.latest = parts_.times.Latest();
  return begun;
}

BranchEnded TransactionCoordinator::ServeEnd(const BranchEnd& end) {
  BranchEnded ended;
  if (end.act == BranchEnd::Act::kCommit) {
    const auto here = branches_.Find(end.id);
    const bool is_late = parts_.clock.Now() > end.deadline;
    if (here != nullptr && !is_late) {
      const std::unique_lock lock(here->mutex);
      // It goes on: what several partitions have is prepared.
      if (!here->ended && here->transaction != nullptr && !here->transaction->IsOfOnePartition()) {
        ended.failure = TransactionFailure::kElsewhere;
        return ended;
      }
    }
    if (is_late) {
      ended.failure = TransactionFailure::kUnavailable;
      return ended;
    }
  }
  const auto branch = branches_.Take(end.id);
  if (branch == nullptr) {
    ended.failure = TransactionFailure::kUnavailable;
    return ended;
  }
  const std::unique_lock lock(branch->mutex);
  branch->ended = true;
  if (branch->transaction == nullptr) {
    ended.failure = TransactionFailure::kUnavailable;
  } else if (end.act == BranchEnd::Act::kAbort) {
    branch->transaction->Abort();
  } else {
    ended.status = branch->transaction->Commit(end.receipt, end.value);
    ended.failure = branch->transaction->failure();
  }
  return ended;
}

std::vector<uint64_t> TransactionCoordinator::TellOpen(const std::vector<uint64_t>& numbers) {
  std::vector<uint64_t> open;
  MutexLock lock(own_mutex_);
  for (const uint64_t number : numbers)
    if (own_.contains(number)) open.push_back(number);
  return open;
}

void TransactionCoordinator::EndForgottenBranches() {
  // One that is younger may not be known to its own node's picture of nodes yet, or just ends.
  const Micros now = parts_.clock.Monotonic();
  const auto by_node = branches_.CameBefore(now - kUnheardMax);
  for (const auto& [node, ids] : by_node) {
    std::vector<uint64_t> numbers;
    for (const TransactionId& id : ids) numbers.push_back(id.number);
    const auto answer =
        parts_.peers->CallAndWait(node, PeerMethod::kTellOpenTransactions,
                                  WrapRequest({}, EncodeNumbers(numbers)), kBeginPatience);
    std::set<uint64_t> open;
    if (answer.has_value()) {
      const auto body = OpenAnswer(*answer);
      const auto told = body.has_value() ? DecodeNumbers(*body) : Fail(body.error());
      if (!told.has_value()) continue;
      open.insert(told->begin(), told->end());
      MutexLock lock(silent_mutex_);
      unheard_since_.erase(node);
    } else {
      MutexLock lock(silent_mutex_);
      const Micros since = unheard_since_.try_emplace(node, now).first->second;
      if (now - since < kUnheardMax) continue;
    }
    for (const TransactionId& id : ids) {
      if (open.contains(id.number)) continue;
      LogInfo("a transaction that node {} has forgotten ends here", node.value());
      ServeEnd(
          {.act = BranchEnd::Act::kAbort, .id = id, .deadline = {}, .receipt = {}, .value = {}});
    }
  }
}

}  // namespace orrery::gateway
