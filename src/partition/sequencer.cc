#include "partition/sequencer.h"

#include <algorithm>

#include "base/check.h"
#include "base/log.h"
#include "partition/key_watch.h"
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
      writer_(engine, options.watch, options.reservations) {}

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
    sequencer->last_time_.store(sequencer->last_.time.count(), std::memory_order_relaxed);
    sequencer->last_committed_.store(sequencer->last_.lsn.value(), std::memory_order_release);
    sequencer->last_evaluated_.store(sequencer->last_.time.count(), std::memory_order_release);
    if (options.times != nullptr) options.times->Restore(sequencer->last_.time);
  }
  return sequencer;
}

Sequencer::~Sequencer() { Retire(Error(Code::kCancelled, "the partition is closed")); }

void Sequencer::Submit(std::unique_ptr<Mutation> mutation) {
  std::optional<Error> refusal;
  {
    MutexLock lock(mutex_);
    refusal = EnqueueLocked(mutation);
    if (!refusal.has_value()) ScheduleLocked();
  }
  if (refusal.has_value()) Hand(std::move(mutation), Fail(*std::move(refusal)));
}

bool Sequencer::SubmitQuietly(std::unique_ptr<Mutation> mutation) {
  std::optional<Error> refusal;
  {
    MutexLock lock(mutex_);
    refusal = EnqueueLocked(mutation);
    if (!refusal.has_value()) {
      if (evaluating_ || start_promised_ || !HasWorkLocked()) return false;
      start_promised_ = true;
      return true;
    }
  }
  Hand(std::move(mutation), Fail(*std::move(refusal)));
  return false;
}

void Sequencer::Start() {
  MutexLock lock(mutex_);
  start_promised_ = false;
  ScheduleLocked();
}

std::optional<Error> Sequencer::EnqueueLocked(std::unique_ptr<Mutation>& mutation) {
  if (retired_.has_value()) return retired_;
  if (queue_.size() >= options_.queue_max || queue_bytes_ >= options_.queue_bytes_max) {
    ++stats_.refused;
    return Error(Code::kOverloaded, "too many writes wait for this partition; retry");
  }
  queue_bytes_ += mutation->bytes();
  queue_.push_back(std::move(mutation));
  return std::nullopt;
}

bool Sequencer::FitsLocked() const {
  if (pauses_ > 0 || queue_.empty()) return false;
  if (forming_count_ == 0) return true;
  return forming_count_ < options_.group_max &&
         forming_bytes_ + queue_.front()->bytes() <= options_.group_bytes_max;
}

bool Sequencer::HasWorkLocked() const {
  if (writing_) {
    return FitsLocked() && (queue_.size() >= options_.look_ahead_min ||
                            queue_bytes_ >= options_.look_ahead_bytes_min);
  }
  return FitsLocked() || forming_count_ > 0;
}

bool Sequencer::IdleLocked() const {
  return !evaluating_ && !writing_ && completing_ == 0 && forming_count_ == 0;
}

bool Sequencer::ScheduleLocked() {
  if (evaluating_ || !HasWorkLocked()) return true;
  evaluating_ = pool_.Submit([this] { Run(); });
  // A full pool queue only means that workers are busy; the next Submit or Resume tries again, and
  // the pool's queue is sized for one entry per partition.
  if (!evaluating_) LogWarn("the commit pool is full; a partition waits for its turn");
  return evaluating_;
}

void Sequencer::Run() {
  do {
    EvaluateQueued();
    if (!TakeWriteToken()) return;
    Sealed group = SealGroup();
    const Status written = Write(group);
    const bool run_on = EndWrite();
    Complete(std::move(group), written);
    if (!run_on) return;
  } while (true);
}

void Sequencer::EvaluateQueued() {
  std::vector<std::unique_ptr<Mutation>> taken;
  while (TakeQueued(taken)) {
    for (auto& mutation : taken) forming_.push_back(Evaluate(std::move(mutation)));
    taken.clear();
  }
}

bool Sequencer::TakeQueued(std::vector<std::unique_ptr<Mutation>>& taken) {
  MutexLock lock(mutex_);
  if (!writing_) {
    // There is nothing to wait for: the group goes as it is.
    if (forming_count_ > 0) return false;
    // The engine shows what was written.
    writer_.ForgetSealed();
  }
  while (FitsLocked()) {
    const size_t bytes = queue_.front()->bytes();
    queue_bytes_ -= bytes;
    forming_bytes_ += bytes;
    ++forming_count_;
    taken.push_back(std::move(queue_.front()));
    queue_.pop_front();
  }
  stats_.mutations += taken.size();
  return !taken.empty();
}

// Before anything is looked at: whatever follows from an earlier write has a later time.
Micros Sequencer::NextTime() const {
  return std::max(options_.times != nullptr ? options_.times->Next() : clock_.Now(),
                  last_.time + Micros(1));
}

Sequencer::Evaluated Sequencer::Evaluate(std::unique_ptr<Mutation> mutation) {
  const Position next{last_.lsn.Next(), NextTime()};
  last_evaluated_.store(next.time.count(), std::memory_order_release);
  writer_.Begin(next.lsn, next.time);
  if (Status status = mutation->Evaluate(writer_); !status.has_value()) {
    writer_.forming_.Rollback();
    return {std::move(mutation), Fail(std::move(status).error())};
  }
  if (options_.watch != nullptr && options_.watch->watches_stores()) {
    const GroupBatch& forming = writer_.forming_;
    forming.ForEachKey([&](std::string_view key) {
      const auto word = forming.Find(key);
      const bool is_put = word.has_value() && word->kind == GroupBatch::Kind::kPut;
      options_.watch->OnStore(key, is_put ? std::optional(word->value) : std::nullopt);
    });
  }
  writer_.forming_.Commit();
  // One that changed nothing takes no position: a position handed out must be durable.
  if (writer_.forming_.wrote()) last_ = next;
  return {std::move(mutation), last_.lsn};
}

bool Sequencer::TakeWriteToken() {
  MutexLock lock(mutex_);
  if (!writing_ && forming_count_ > 0) {
    writing_ = true;
    ++stats_.groups;
    return true;
  }
  evaluating_ = false;
  // Something may have come since the queue was found empty.
  ScheduleLocked();
  if (IdleLocked()) idle_.NotifyAll();
  return false;
}

Sequencer::Sealed Sequencer::SealGroup() {
  Sealed group;
  group.mutations.swap(forming_);
  group.changed = !writer_.forming_.empty();
  group.last = last_;
  if (group.changed) {
    if (observer_ != nullptr) observer_->BeforeCommit(writer_);
    writer_.PutUnread(kSequencerKey, EncodePosition(last_));
  }
  writer_.Seal();
  if (options_.watch != nullptr) options_.watch->OnSeal();
  MutexLock lock(mutex_);
  forming_count_ = 0;
  forming_bytes_ = 0;
  evaluating_ = false;
  // If the pool refuses, EndWrite is the next to try.
  ScheduleLocked();
  return group;
}

Status Sequencer::Write(const Sealed& group) {
  Status written;
  if (broken_.has_value()) written = Fail(*broken_);
  if (!group.changed) {
    if (options_.watch != nullptr) options_.watch->OnWritten(written.has_value());
    return written;
  }
  if (written.has_value()) {
    written = engine_.Write(writer_.sealed_.batch(), options_.durability);
    if (!written.has_value()) broken_ = written.error();
  }
  if (written.has_value()) {
    last_committed_.store(group.last.lsn.value(), std::memory_order_release);
    last_time_.store(group.last.time.count(), std::memory_order_release);
  }
  if (options_.watch != nullptr) options_.watch->OnWritten(written.has_value());
  if (observer_ != nullptr) observer_->AfterCommit(written.has_value());
  return written;
}

bool Sequencer::EndWrite() {
  MutexLock lock(mutex_);
  writing_ = false;
  ++completing_;
  if (ScheduleLocked()) return false;
  evaluating_ = true;
  return true;
}

void Sequencer::Complete(Sealed group, const Status& written) {
  for (Evaluated& done : group.mutations) {
    Hand(std::move(done.mutation),
         written.has_value() ? std::move(done.outcome) : Fail(written.error()));
  }
  MutexLock lock(mutex_);
  --completing_;
  if (IdleLocked()) idle_.NotifyAll();
}

void Sequencer::WaitUntilIdleLocked() {
  while (!IdleLocked()) idle_.Wait(mutex_);
}

void Sequencer::Pause() {
  MutexLock lock(mutex_);
  ++pauses_;
  WaitUntilIdleLocked();
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
    WaitUntilIdleLocked();
    --pauses_;
    left.swap(queue_);
    queue_bytes_ = 0;
  }
  for (auto& mutation : left) Hand(std::move(mutation), Fail(why));
}

Micros Sequencer::CompleteUntil() {
  {
    MutexLock lock(mutex_);
    // Nobody has the turn to evaluate, so last_ is free, and no time given out is still to be
    // written. Whoever evaluates next goes on from it.
    if (!evaluating_ && !writing_ && forming_count_ == 0) {
      last_.time = NextTime();
      last_time_.store(last_.time.count(), std::memory_order_release);
    }
  }
  return Micros(last_time_.load(std::memory_order_acquire));
}

Position Sequencer::PausedPosition() const {
  MutexLock lock(mutex_);
  ORRERY_CHECK(pauses_ > 0 && IdleLocked());
  return last_;
}

SequencerStats Sequencer::Stats() const {
  MutexLock lock(mutex_);
  return stats_;
}

}  // namespace orrery::partition
