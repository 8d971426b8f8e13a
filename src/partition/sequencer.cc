#include "partition/sequencer.h"

#include <algorithm>

#include "base/check.h"
#include "base/log.h"
#include "partition/meta_keys.h"

namespace orrery::partition {
namespace {

void Hand(std::unique_ptr<Mutation> mutation, Result<Lsn> outcome) {
  Mutation& target = *mutation;
  target.Complete(std::move(mutation), std::move(outcome));
}

}  // namespace

Sequencer::Sequencer(storage::Engine& engine, ThreadPool& pool, const Clock& clock,
                     GroupObserver* observer, SequencerOptions options)
    : engine_(engine),
      pool_(pool),
      clock_(clock),
      observer_(observer),
      options_(options),
      writer_(engine) {}

Result<std::unique_ptr<Sequencer>> Sequencer::Open(storage::Engine& engine, ThreadPool& pool,
                                                   const Clock& clock, GroupObserver* observer,
                                                   SequencerOptions options) {
  std::unique_ptr<Sequencer> sequencer(new Sequencer(engine, pool, clock, observer, options));
  storage::PinnedValue stored;
  ORRERY_ASSIGN(const bool exists, engine.Get(kSequencerKey, stored));
  if (exists) {
    if (!DecodePosition(stored.view(), sequencer->last_)) {
      return Fail(Code::kCorruption,
                  "the partition's position record in " + engine.path() + " is damaged");
    }
    sequencer->last_committed_.store(sequencer->last_.lsn.value(), std::memory_order_release);
  }
  return sequencer;
}

Sequencer::~Sequencer() { Retire(Error(Code::kCancelled, "the partition is closed")); }

void Sequencer::Submit(std::unique_ptr<Mutation> mutation) {
  std::optional<Error> refusal;
  {
    MutexLock lock(mutex_);
    if (retired_.has_value()) {
      refusal = *retired_;
    } else if (queue_.size() >= options_.queue_max || queue_bytes_ >= options_.queue_bytes_max) {
      ++stats_.refused;
      refusal = Error(Code::kOverloaded, "too many writes wait for this partition; retry");
    } else {
      queue_bytes_ += mutation->bytes();
      queue_.push_back(std::move(mutation));
      ScheduleLocked();
    }
  }
  if (refusal.has_value()) Hand(std::move(mutation), Fail(*std::move(refusal)));
}

void Sequencer::ScheduleLocked() {
  if (running_ || pauses_ > 0 || queue_.empty()) return;
  running_ = pool_.Submit([this] { Run(); });
  // A full pool queue only means that workers are busy; the next Submit or Resume tries again, and
  // the pool's queue is sized for one entry per partition.
  if (!running_) LogWarn("the commit pool is full; a partition waits for its turn");
}

bool Sequencer::TakeGroup(std::vector<std::unique_ptr<Mutation>>& group) {
  MutexLock lock(mutex_);
  size_t bytes = 0;
  while (pauses_ == 0 && !queue_.empty() && group.size() < options_.group_max &&
         (group.empty() || bytes + queue_.front()->bytes() <= options_.group_bytes_max)) {
    bytes += queue_.front()->bytes();
    group.push_back(std::move(queue_.front()));
    queue_.pop_front();
  }
  queue_bytes_ -= bytes;
  if (!group.empty()) {
    ++stats_.groups;
    stats_.mutations += group.size();
    return true;
  }
  running_ = false;
  idle_.NotifyAll();
  return false;
}

void Sequencer::Run() {
  std::vector<std::unique_ptr<Mutation>> group;
  while (TakeGroup(group)) {
    CommitGroup(std::move(group));
    group.clear();
  }
}

void Sequencer::CommitGroup(std::vector<std::unique_ptr<Mutation>> group) {
  writer_.Reset();
  std::vector<Result<Lsn>> outcomes;
  outcomes.reserve(group.size());
  for (const auto& mutation : group) {
    const Position next{last_.lsn.Next(), std::max(clock_.Now(), last_.time + Micros(1))};
    writer_.Begin(next.lsn, next.time);
    if (Status status = mutation->Evaluate(writer_); !status.has_value()) {
      writer_.Rollback();
      outcomes.push_back(Fail(std::move(status).error()));
      continue;
    }
    writer_.Commit();
    // One that changed nothing takes no position: a position handed out must be durable.
    if (writer_.wrote()) last_ = next;
    outcomes.push_back(last_.lsn);
  }

  Status written;
  const bool changed = !writer_.batch_.empty();
  if (changed) {
    if (observer_ != nullptr) observer_->BeforeCommit(writer_);
    writer_.batch_.Put(kSequencerKey, EncodePosition(last_));
    written = engine_.Write(writer_.batch_, options_.durability);
    if (written.has_value()) last_committed_.store(last_.lsn.value(), std::memory_order_release);
    if (observer_ != nullptr) observer_->AfterCommit(written.has_value());
  }
  for (size_t i = 0; i < group.size(); ++i) {
    const bool lost = !written.has_value() && outcomes[i].has_value();
    Hand(std::move(group[i]), lost ? Fail(written.error()) : std::move(outcomes[i]));
  }
}

void Sequencer::Pause() {
  MutexLock lock(mutex_);
  ++pauses_;
  while (running_) idle_.Wait(mutex_);
}

void Sequencer::Resume() {
  MutexLock lock(mutex_);
  ORRERY_CHECK(pauses_ > 0);
  --pauses_;
  ScheduleLocked();
}

void Sequencer::Retire(const Error& why) {
  std::deque<std::unique_ptr<Mutation>> left;
  {
    MutexLock lock(mutex_);
    if (!retired_.has_value()) retired_ = why;
    ++pauses_;
    while (running_) idle_.Wait(mutex_);
    --pauses_;
    left.swap(queue_);
    queue_bytes_ = 0;
  }
  for (auto& mutation : left) Hand(std::move(mutation), Fail(why));
}

Position Sequencer::PausedPosition() const {
  MutexLock lock(mutex_);
  ORRERY_CHECK(pauses_ > 0 && !running_);
  return last_;
}

SequencerStats Sequencer::Stats() const {
  MutexLock lock(mutex_);
  return stats_;
}

}  // namespace orrery::partition
