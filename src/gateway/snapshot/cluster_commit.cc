// The TransactionCoordinator's commits over the partitions of a cluster: prepared where they write,
// decided in one place, and carried out (docs/decisions/0069).
#include <algorithm>
#include <latch>
#include <mutex>
#include <utility>

#include "base/bytes.h"
#include "base/has_code.h"
#include "base/log.h"
#include "gateway/remote/codec/commit_codec.h"
#include "gateway/remote/envelope.h"
#include "gateway/remote/remote_gateway.h"
#include "gateway/snapshot/snapshot_transaction.h"
#include "gateway/snapshot/transaction_coordinator.h"
#include "item/layout/entry_codec.h"
#include "item/layout/key_layout.h"

namespace orrery::gateway {
namespace {

using cluster::PeerMethod;
using Entry = item::TransactionGroup::Entry;

// A decision for a commit that comes later than this after its time is refused: by then those who
// asked for it may have been told that it was given up, and that is forgotten.
constexpr Micros kDecideMax = std::chrono::minutes(5);
constexpr Micros kGivenUpLasts = std::chrono::minutes(60);
constexpr Micros kForgottenAfter = std::chrono::minutes(30);

std::string DecisionKey(ContainerId container, Hash128 hash, uint64_t number) {
  std::string name = "commit decision ";
  AppendBigEndian(name, number);
  std::string key;
  item::WriteReceiptKey(key, container, hash, {}, name);
  return key;
}

std::string DecisionValue(const CommitOutcome& outcome, std::optional<Micros> expiry) {
  std::string value;
  const std::string bytes = EncodeOutcome(outcome);
  item::WriteReceiptEntry(value, {.expiry = expiry, .bytes = bytes});
  return value;
}

}  // namespace

Status TransactionCoordinator::CommitOverNodes(SnapshotTransaction& transaction,
                                               std::string_view receipt, std::string_view value) {
  TransactionLink& link = *transaction.link_;
  const uint64_t number = link.id().number;
  std::optional<LogicalPlace> decision = link.first_place();
  if (!transaction.writes_.empty()) {
    const LogicalWrites& first = transaction.writes_.logical().front();
    decision = LogicalPlace{first.container, first.hash};
  }
  ORRERY_CHECK(decision.has_value());

  const std::vector<NodeId> writers = link.writers();
  std::vector<Result<PrepareAnswer>> answers(writers.size(),
                                             Fail(Code::kUnavailable, "the node has not answered"));
  std::latch answered(static_cast<ptrdiff_t>(writers.size()));
  const std::string request =
      WrapRequest({}, EncodePrepare({.id = link.id(), .commit = number, .decision = *decision}));
  for (size_t i = 0; i < writers.size(); ++i) {
    parts_.peers->Call(writers[i], PeerMethod::kPrepareTransaction, request, kPatience,
                       [&answered, &answers, i](Result<std::string> answer) {
                         if (answer.has_value()) answer = OpenAnswer(*answer);
                         answers[i] = answer.has_value() ? DecodePrepareAnswer(*answer)
                                                         : Fail(std::move(answer).error());
                         answered.count_down();
                       });
  }
  const bool writes_here = !transaction.writes_.empty();
  std::optional<PrepareAnswer> own;
  if (writes_here) {
    own = transaction.Prepare(number, *decision);
    EndBranches(link);
  }
  answered.wait();
  if (own.has_value()) {
    answers.emplace_back(*std::move(own));
  } else {
    transaction.Abort();
  }

  std::vector<LogicalPlace> places;
  Status prepared;
  for (const Result<PrepareAnswer>& answer : answers) {
    if (!answer.has_value()) {
      prepared = Fail(Code::kUnavailable, answer.error().message());
      continue;
    }
    if (answer->failure != TransactionFailure::kNone) link.NoteFailure(answer->failure);
    places.insert(places.end(), answer->places.begin(), answer->places.end());
    if (!answer->status.has_value()) {
      prepared = Fail(answer->status.error());
    } else if (!parts_.times.Observe(answer->latest)) {
      prepared = Fail(Code::kUnavailable, "the clocks of the nodes are too far apart");
    }
  }
  Job job{.number = number, .decision = *decision, .outcome = CommitOutcome{}, .places = places};
  if (!prepared.has_value()) {
    // Whoever has prepared it and did not say so asks for the decision, and gives it up.
    link.NoteFailure(TransactionFailure::kUnavailable);
    if (!ResolveAll(job).has_value()) AddJob(std::move(job));
    return prepared;
  }
  if (places.empty()) return {};

  const Micros time = parts_.times.Next();
  const auto outcome = AskForDecision({.act = DecideRequest::Act::kCommit,
                                       .commit = number,
                                       .hash = decision->hash,
                                       .time = time,
                                       .receipt = std::string(receipt),
                                       .value = std::string(value)},
                                      decision->container);
  if (!outcome.has_value()) {
    job.outcome.reset();
    transaction.undecided_ = true;
    AddJob(std::move(job));
    return Fail(Code::kUnavailable, outcome.error().message());
  }
  job.outcome = *outcome;
  // Readers wait for what is in doubt, so they see all of it from now on.
  if (Status resolved = ResolveAll(job); !resolved.has_value())
    LogWarn("a commit is not written everywhere yet: {}", resolved.error().ToString());
  if (outcome->committed || !job.places.empty()) AddJob(std::move(job));
  if (outcome->committed) return {};
  link.NoteFailure(TransactionFailure::kUnavailable);
  return Fail(Code::kPreconditionFailed, "the commit took too long, and was given up");
}

Result<CommitOutcome> TransactionCoordinator::AskForDecision(const DecideRequest& request,
                                                             ContainerId container) const {
  const auto snapshot = parts_.catalog.snapshot();
  const ContainerRef* const entry = snapshot->by_id.Find(container);
  // With its container the decision is gone. Nobody can make one any more.
  if (entry == nullptr) return CommitOutcome{};
  const auto answer = parts_.remote->AskTwice(*entry, request.hash, PeerMethod::kDecideTransaction,
                                              EncodeDecide(request));
  if (HasCode(answer, Code::kNotFound)) return CommitOutcome{};
  ORRERY_TRY(answer);
  return DecodeOutcome(*answer);
}

Result<CommitOutcome> TransactionCoordinator::DecideHere(ContainerId container,
                                                         const DecideRequest& request) {
  const LogicalPlace place{container, request.hash};
  const std::string key = DecisionKey(container, request.hash, request.commit);
  const Micros now = parts_.clock.Now();
  CommitOutcome outcome{.committed = request.act != DecideRequest::Act::kAsk, .time = request.time};
  std::optional<Micros> expiry;
  if (request.act == DecideRequest::Act::kForget) expiry = now + kForgottenAfter;
  if (request.act == DecideRequest::Act::kCommit && now > request.time + kDecideMax)
    outcome.committed = false;
  if (!outcome.committed) expiry = now + kGivenUpLasts;
  std::vector<Entry> entries = {{key, DecisionValue(outcome, expiry),
                                 request.act == DecideRequest::Act::kForget
                                     ? Entry::Condition::kPresent
                                     : Entry::Condition::kAbsent}};
  if (request.act == DecideRequest::Act::kCommit && outcome.committed) {
    Entry receipt;
    item::WriteReceiptKey(receipt.key, container, request.hash, {}, request.receipt);
    receipt.value.emplace();
    item::WriteReceiptEntry(*receipt.value,
                            {.expiry = now + kReceiptLifetime, .bytes = request.value});
    entries.push_back(std::move(receipt));
  }
  const TransactionWrites none;
  CommitRun run(RunParts(), none, request.commit);
  const Status stored = run.Store(place, std::move(entries));
  if (stored.has_value()) return outcome;
  if (request.act == DecideRequest::Act::kForget && HasCode(stored, Code::kPreconditionFailed))
    return outcome;
  if (!HasCode(stored, Code::kPreconditionFailed)) return Fail(stored.error());
  // It was decided before.
  cluster::HostedPartition* const partition =
      parts_.node.topology()->Route(place.container, place.hash);
  if (partition == nullptr) return Fail(Code::kMoved, "the partition is another node's now");
  storage::PinnedValue found;
  ORRERY_ASSIGN(const bool is_there, partition->engine().Get(key, found));
  ORRERY_TRY(partition->CheckLease());
  if (!is_there || partition->NeedsReopening())
    return Fail(Code::kUnavailable, "the decision of a commit is not stored yet; retry");
  ORRERY_ASSIGN(const item::ReceiptEntry entry, item::DecodeReceiptEntry(found.view()));
  return DecodeOutcome(entry.bytes);
}

PrepareAnswer TransactionCoordinator::ServePrepare(const PrepareRequest& request) {
  PrepareAnswer answer;
  const auto branch = branches_.Take(request.id);
  if (branch == nullptr || branch->transaction == nullptr) {
    answer.failure = TransactionFailure::kUnavailable;
    answer.status = Fail(Code::kPreconditionFailed, "the transaction is not known here any more");
    return answer;
  }
  const std::unique_lock lock(branch->mutex);
  branch->ended = true;
  return branch->transaction->Prepare(request.commit, request.decision);
}

Result<std::vector<LogicalPlace>> TransactionCoordinator::ResolveHere(
    uint64_t number, const CommitOutcome& outcome) {
  // What is written here has a later time than the commit: a snapshot that has it knows.
  if (outcome.committed && !parts_.times.Observe(outcome.time))
    return Fail(Code::kUnavailable, "the clocks of the nodes are too far apart");
  const PreparedTable::Claim claim(parts_.prepared, number);
  const std::vector<LogicalPlace> places = parts_.prepared.PlacesOf(number);
  if (places.empty()) return places;
  const std::shared_ptr<const cluster::Topology> topology = parts_.node.topology();
  std::vector<LogicalPlace> resolved;
  TransactionWrites writes;
  for (const LogicalPlace& place : places) {
    cluster::HostedPartition* const partition = topology->Route(place.container, place.hash);
    if (partition == nullptr) {
      parts_.prepared.Drop(number, place);
      continue;
    }
    if (partition->NeedsReopening())
      return Fail(Code::kUnavailable, "the partition is being opened anew");
    resolved.push_back(place);
    storage::PinnedValue value;
    ORRERY_ASSIGN(
        const bool is_there,
        partition->engine().Get(CommitPlace{place.container, place.hash, number}.Key(), value));
    if (!is_there) continue;
    ORRERY_ASSIGN(const PrepareRecord record, PrepareRecord::Decode(value.view()));
    const LogicalWrites& logical = record.writes.logical().front();
    for (item::Operation operation : logical.operations) {
      if (operation.kind != item::OperationKind::kDelete) {
        // They were true when it was prepared, and it has been reserved since.
        operation.if_match.reset();
        operation.if_absent = false;
      }
      writes.Add(logical.container, logical.hash, logical.partition_key, std::move(operation));
    }
  }
  if (!writes.empty()) {
    CommitRun run(RunParts(), writes, number);
    ORRERY_TRY(run.Resolve(outcome.committed));
  }
  parts_.prepared.End(number, outcome);
  return resolved;
}

Result<std::vector<LogicalPlace>> TransactionCoordinator::ServeResolve(
    ContainerId container, const ResolveRequest& request) {
  const LogicalPlace place{container, request.hash};
  if (parts_.node.topology()->Route(place.container, place.hash) == nullptr)
    return Fail(Code::kMoved, "the partition is another node's");
  ORRERY_ASSIGN(std::vector<LogicalPlace> places, ResolveHere(request.commit, request.outcome));
  places.push_back(place);
  return places;
}

Status TransactionCoordinator::ResolveAll(Job& job) {
  ORRERY_CHECK(job.outcome.has_value());
  std::set<LogicalPlace> left(job.places.begin(), job.places.end());
  while (!left.empty()) {
    const auto snapshot = parts_.catalog.snapshot();
    const std::shared_ptr<const cluster::Topology> topology = parts_.node.topology();
    // One place of each node: the others there are resolved with it.
    std::map<NodeId, LogicalPlace> asked;
    for (auto place = left.begin(); place != left.end();) {
      if (snapshot->by_id.Find(place->container) == nullptr) {
        place = left.erase(place);  // it was dropped
        continue;
      }
      const auto where = topology->Locate(place->container, place->hash);
      asked.try_emplace(where.remote != nullptr ? where.remote->owner : parts_.self, *place);
      ++place;
    }
    std::vector<std::pair<LogicalPlace, Result<std::string>>> answers;
    for (const auto& [node, place] : asked) answers.emplace_back(place, std::string());
    std::latch answered(static_cast<ptrdiff_t>(answers.size()));
    for (auto& [place, answer] : answers) {
      parts_.remote->SendTwice(
          *snapshot->by_id.Find(place.container), place.hash, PeerMethod::kResolveTransaction,
          EncodeResolve({.commit = job.number, .hash = place.hash, .outcome = *job.outcome}),
          [&answered, &answer](Result<std::string> result) {
            answer = std::move(result);
            answered.count_down();
          });
    }
    answered.wait();
    Status failed;
    for (const auto& [place, answer] : answers) {
      if (!answer.has_value() && answer.error().code() != Code::kNotFound) {
        failed = Fail(answer.error());
        continue;
      }
      left.erase(place);
      if (!answer.has_value()) continue;
      ORRERY_ASSIGN(const std::vector<LogicalPlace> done, DecodePlaces(*answer));
      for (const LogicalPlace& each : done) left.erase(each);
    }
    job.places.assign(left.begin(), left.end());
    ORRERY_TRY(std::move(failed));
  }
  return {};
}

void TransactionCoordinator::AddJob(Job job) {
  MutexLock lock(jobs_mutex_);
  jobs_.push_back(std::move(job));
}

bool TransactionCoordinator::IsUndecided(uint64_t number) const {
  MutexLock lock(jobs_mutex_);
  return std::ranges::any_of(
      jobs_, [&](const Job& job) { return job.number == number && !job.outcome.has_value(); });
}

Status TransactionCoordinator::RunJob(Job& job) {
  const DecideRequest request{.act = DecideRequest::Act::kAsk,
                              .commit = job.number,
                              .hash = job.decision.hash,
                              .time = {},
                              .receipt = {},
                              .value = {}};
  if (!job.outcome.has_value()) {
    ORRERY_ASSIGN(job.outcome, AskForDecision(request, job.decision.container));
  }
  ORRERY_TRY(ResolveAll(job));
  if (job.outcome->committed) Forget(job);
  return {};
}

void TransactionCoordinator::Forget(const Job& job) const {
  const auto snapshot = parts_.catalog.snapshot();
  const ContainerRef* const container = snapshot->by_id.Find(job.decision.container);
  if (container == nullptr) return;
  // One that this does not reach is kept for good: a few bytes.
  parts_.remote->SendTwice(*container, job.decision.hash, PeerMethod::kDecideTransaction,
                           EncodeDecide({.act = DecideRequest::Act::kForget,
                                         .commit = job.number,
                                         .hash = job.decision.hash,
                                         .time = job.outcome->time,
                                         .receipt = {},
                                         .value = {}}),
                           [](const Result<std::string>&) {});
}

void TransactionCoordinator::ResolveDoubt(const PreparedTable::Doubt& doubt) {
  const std::shared_ptr<const cluster::Topology> topology = parts_.node.topology();
  bool is_here = false;
  for (const LogicalPlace& place : parts_.prepared.PlacesOf(doubt.number)) {
    if (topology->Route(place.container, place.hash) != nullptr) {
      is_here = true;
    } else {
      parts_.prepared.Drop(doubt.number, place);
    }
  }
  if (!is_here) return parts_.prepared.End(doubt.number, std::nullopt);
  const auto outcome = AskForDecision({.act = DecideRequest::Act::kAsk,
                                       .commit = doubt.number,
                                       .hash = doubt.decision.hash,
                                       .time = {},
                                       .receipt = {},
                                       .value = {}},
                                      doubt.decision.container);
  Status resolved;
  if (outcome.has_value()) {
    if (auto done = ResolveHere(doubt.number, *outcome); !done.has_value())
      resolved = Fail(std::move(done).error());
  } else {
    resolved = Fail(outcome.error());
  }
  if (!resolved.has_value())
    LogWarn("a commit is still in doubt here: {}", resolved.error().ToString());
}

void TransactionCoordinator::MaintainOverNodes() {
  EndForgottenBranches();
  std::vector<Job> jobs;
  {
    MutexLock lock(jobs_mutex_);
    jobs = jobs_;
  }
  for (Job& job : jobs) {
    const Status done = RunJob(job);
    if (!done.has_value()) LogWarn("a commit is not finished yet: {}", done.error().ToString());
    MutexLock lock(jobs_mutex_);
    const auto kept = std::ranges::find(jobs_, job.number, &Job::number);
    if (kept == jobs_.end()) continue;
    if (done.has_value()) {
      jobs_.erase(kept);
    } else {
      *kept = std::move(job);
    }
  }
  for (const PreparedTable::Doubt& doubt :
       parts_.prepared.Since(parts_.clock.Monotonic() - kDoubtMax))
    ResolveDoubt(doubt);
}

}  // namespace orrery::gateway
