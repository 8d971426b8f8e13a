#include "storage/rados/object/memory_store.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

#include "base/check.h"
#include "storage/rados/object/countdown.h"

namespace orrery::storage::rados {
namespace {

// An operation is overtaken by those that wait up to so far behind it.
constexpr size_t kOvertakenMax = 16;

Error Unanswered() { return {Code::kUnavailable, "no answer from the object store in time"}; }

}  // namespace

// Ending a watch waits for the notice that is being heard.
class MemoryStore::MemoryWatch final : public ObjectStore::Watch {
 public:
  struct Ear {
    Mutex mutex;
    Heard heard GUARDED_BY(mutex);
  };

  MemoryWatch(MemoryCluster& cluster, std::string object, MemoryCluster::WatchId id,
              std::shared_ptr<Ear> ear)
      : cluster_(cluster), object_(std::move(object)), id_(id), ear_(std::move(ear)) {}
  ~MemoryWatch() override {
    cluster_.EndWatch(object_, id_);
    MutexLock lock(ear_->mutex);
    ear_->heard = nullptr;
  }

 private:
  MemoryCluster& cluster_;
  const std::string object_;
  const MemoryCluster::WatchId id_;
  const std::shared_ptr<Ear> ear_;
};

MemoryStore::MemoryStore(MemoryCluster& cluster, uint64_t seed)
    : cluster_(cluster),
      address_(cluster.NewAddress()),
      random_(seed),
      thread_([this] { Run(); }) {}

MemoryStore::~MemoryStore() {
  {
    MutexLock lock(mutex_);
    closing_ = true;
    if (stopped_) CrashNow();
    stopped_ = false;
    changed_.NotifyAll();
  }
  thread_.join();
}

void MemoryStore::Enqueue(Operation operation) {
  MutexLock lock(mutex_);
  queue_.push_back(std::move(operation));
  changed_.NotifyAll();
}

void MemoryStore::Run() {
  for (;;) {
    Operation operation;
    {
      MutexLock lock(mutex_);
      while (!closing_ && (queue_.empty() || stopped_)) changed_.Wait(mutex_);
      if (queue_.empty()) return;
      operation = TakeNext();
    }
    CarryOut(std::move(operation));
  }
}

MemoryStore::Operation MemoryStore::TakeNext() {
  std::set<std::string_view> seen;
  std::vector<size_t> first;  // of each object
  for (size_t i = 0; i < std::min(queue_.size(), kOvertakenMax); ++i) {
    if (seen.insert(queue_[i].object).second) first.push_back(i);
  }
  const size_t chosen = first[random_() % first.size()];
  Operation operation = std::move(queue_[chosen]);
  queue_.erase(queue_.begin() + static_cast<std::ptrdiff_t>(chosen));
  return operation;
}

std::optional<ObjectFault> MemoryStore::FaultOf(const Operation& operation) {
  const uint64_t number = std::accumulate(calls_.begin(), calls_.end(), uint64_t{0});
  ++calls_[static_cast<size_t>(operation.kind)];
  bytes_written_ += operation.bytes;
  if (crashed_) return ObjectFault::kLostRequest;
  if (number == fault_at_) {
    fault_at_ = UINT64_MAX;
    return fault_;
  }
  if (operation.kind == ObjectCall::kWrite && write_matches_ && write_matches_(operation.object))
    return write_fault_;
  return std::nullopt;
}

void MemoryStore::CarryOut(Operation operation) {
  std::function<void()> before;
  {
    MutexLock lock(mutex_);
    before = before_each_;
  }
  if (before) before();
  std::optional<ObjectFault> fault;
  {
    MutexLock lock(mutex_);
    fault = FaultOf(operation);
    if (fault == ObjectFault::kCrash) {
      queue_.push_front(std::move(operation));
      CrashNow();
      return;
    }
  }
  if (!fault.has_value() || fault == ObjectFault::kLostAnswer) operation.apply();
  if (!fault.has_value()) {
    operation.answer(std::nullopt);
  } else if (fault == ObjectFault::kFull) {
    operation.answer(Error(Code::kResourceExhausted, "the pool is full"));
  } else {
    operation.answer(Unanswered());
  }
}

void MemoryStore::CrashNow() {
  if (crashed_) return;
  crashed_ = true;
  std::set<std::string_view> lost;  // objects from whose queue something was lost
  for (Operation& operation : queue_) {
    if (lost.contains(operation.object)) continue;
    if (random_() % 2 == 0) {
      operation.apply();
    } else {
      lost.insert(operation.object);
    }
  }
}

void MemoryStore::Crash() {
  MutexLock lock(mutex_);
  CrashNow();
  changed_.NotifyAll();
}

bool MemoryStore::crashed() const {
  MutexLock lock(mutex_);
  return crashed_;
}

void MemoryStore::Stop() {
  MutexLock lock(mutex_);
  stopped_ = true;
}

void MemoryStore::Continue() {
  MutexLock lock(mutex_);
  stopped_ = false;
  changed_.NotifyAll();
}

size_t MemoryStore::waiting() const {
  MutexLock lock(mutex_);
  return queue_.size();
}

void MemoryStore::AwaitWaiting(size_t count) {
  MutexLock lock(mutex_);
  while (queue_.size() < count) changed_.Wait(mutex_);
}

size_t MemoryStore::Step(size_t count) {
  for (size_t done = 0; done < count; ++done) {
    Operation operation;
    {
      MutexLock lock(mutex_);
      ORRERY_CHECK(stopped_);
      if (queue_.empty()) return done;
      operation = TakeNext();
    }
    CarryOut(std::move(operation));
  }
  return count;
}

void MemoryStore::BeforeEach(std::function<void()> hook) {
  MutexLock lock(mutex_);
  before_each_ = std::move(hook);
}

void MemoryStore::FaultAfter(uint64_t calls, ObjectFault fault) {
  MutexLock lock(mutex_);
  fault_at_ = std::accumulate(calls_.begin(), calls_.end(), calls);
  fault_ = fault;
}

void MemoryStore::FaultWrites(Matches matches, ObjectFault fault) {
  MutexLock lock(mutex_);
  write_matches_ = std::move(matches);
  write_fault_ = fault;
}

uint64_t MemoryStore::calls() const {
  MutexLock lock(mutex_);
  return std::accumulate(calls_.begin(), calls_.end(), uint64_t{0});
}

uint64_t MemoryStore::calls(ObjectCall kind) const {
  MutexLock lock(mutex_);
  return calls_[static_cast<size_t>(kind)];
}

uint64_t MemoryStore::bytes_written() const {
  MutexLock lock(mutex_);
  return bytes_written_;
}

void MemoryStore::Submit(std::string_view object, ObjectWrite write, Done done) {
  struct Pending {
    ObjectWrite write;
    Status status;
  };
  uint64_t bytes = 0;
  for (const ObjectWrite::Step& step : write.steps()) {
    if (const auto* part = std::get_if<ObjectWrite::WriteStep>(&step)) bytes += part->bytes.size();
  }
  auto pending = std::make_shared<Pending>(std::move(write), Status());
  Enqueue({.kind = ObjectCall::kWrite,
           .object = std::string(object),
           .bytes = bytes,
           .apply =
               [this, pending, name = std::string(object)] {
                 pending->status = cluster_.Apply(address_, name, pending->write);
               },
           .answer =
               [pending, done = std::move(done)](std::optional<Error> error) mutable {
                 done(error.has_value() ? Fail(*std::move(error)) : std::move(pending->status));
               }});
}

void MemoryStore::SubmitRead(std::string_view object, uint64_t offset, size_t bytes,
                             ReadDone done) {
  auto answer = std::make_shared<Result<std::string>>();
  Enqueue({.kind = ObjectCall::kRead,
           .object = std::string(object),
           .apply = [this, answer, name = std::string(object), offset,
                     bytes] { *answer = cluster_.Read(address_, name, offset, bytes); },
           .answer =
               [answer, done = std::move(done)](std::optional<Error> error) mutable {
                 done(error.has_value() ? Result<std::string>(Fail(*std::move(error)))
                                        : std::move(*answer));
               }});
}

template <typename T, typename Call>
T MemoryStore::Wait(ObjectCall kind, std::string_view object, Call call) {
  // Shared with the operation, which a crash may carry out after this has returned.
  auto answer = std::make_shared<T>();
  Countdown answered(1);
  T result;
  Enqueue({.kind = kind,
           .object = std::string(object),
           .apply = [answer, call = std::move(call)]() mutable { *answer = call(); },
           .answer =
               [answer, &result, &answered](std::optional<Error> error) {
                 if (error.has_value()) {
                   result = Fail(*std::move(error));
                 } else {
                   result = std::move(*answer);
                 }
                 answered.Arrive();
               }});
  answered.Wait();
  return result;
}

Result<ObjectStat> MemoryStore::Stat(std::string_view object) {
  return Wait<Result<ObjectStat>>(ObjectCall::kInspect, object, [this, name = std::string(object)] {
    return cluster_.Stat(address_, name);
  });
}

Result<std::map<std::string, std::string>> MemoryStore::Attributes(std::string_view object) {
  return Wait<Result<std::map<std::string, std::string>>>(
      ObjectCall::kInspect, object,
      [this, name = std::string(object)] { return cluster_.Attributes(address_, name); });
}

Result<EntryPage> MemoryStore::Entries(std::string_view object, std::string_view after,
                                       size_t count) {
  return Wait<Result<EntryPage>>(
      ObjectCall::kEntries, object,
      [this, name = std::string(object), start = std::string(after), count] {
        return cluster_.Entries(address_, name, start, count);
      });
}

Result<NamePage> MemoryStore::List(std::string_view cursor, size_t count) {
  return Wait<Result<NamePage>>(ObjectCall::kList, "", [this, start = std::string(cursor), count] {
    return cluster_.List(start, count);
  });
}

Status MemoryStore::Lock(std::string_view object, std::string_view name, std::string_view cookie,
                         std::chrono::milliseconds duration) {
  MemoryCluster::LockRequest request{
      .name = std::string(name), .cookie = std::string(cookie), .duration = duration};
  return Wait<Status>(ObjectCall::kLock, object, [this, locked = std::string(object), request] {
    return cluster_.Lock(address_, locked, request);
  });
}

Status MemoryStore::RenewLock(std::string_view object, std::string_view name,
                              std::string_view cookie, std::chrono::milliseconds duration) {
  MemoryCluster::LockRequest request{.name = std::string(name),
                                     .cookie = std::string(cookie),
                                     .duration = duration,
                                     .renew_only = true};
  return Wait<Status>(ObjectCall::kLock, object, [this, locked = std::string(object), request] {
    return cluster_.Lock(address_, locked, request);
  });
}

Status MemoryStore::Unlock(std::string_view object, std::string_view name,
                           std::string_view cookie) {
  return Wait<Status>(ObjectCall::kLock, object,
                      [this, locked = std::string(object), lock_name = std::string(name),
                       held_by = std::string(cookie)] {
                        return cluster_.Unlock(address_, locked, lock_name, held_by);
                      });
}

Status MemoryStore::BreakLock(std::string_view object, std::string_view name,
                              const LockHolder& holder) {
  return Wait<Status>(ObjectCall::kLock, object,
                      [this, locked = std::string(object), lock_name = std::string(name), holder] {
                        return cluster_.BreakLock(address_, locked, lock_name, holder);
                      });
}

Result<std::optional<LockHolder>> MemoryStore::HolderOf(std::string_view object,
                                                        std::string_view name) {
  return Wait<Result<std::optional<LockHolder>>>(
      ObjectCall::kLock, object, [this, locked = std::string(object), lock = std::string(name)] {
        return cluster_.HolderOf(locked, lock);
      });
}

Status MemoryStore::Blocklist(const std::string& address) {
  return Wait<Status>(ObjectCall::kLock, "", [this, address]() -> Status {
    cluster_.Blocklist(address);
    return {};
  });
}

Result<std::unique_ptr<ObjectStore::Watch>> MemoryStore::StartWatch(std::string_view object,
                                                                    Heard heard) {
  auto ear = std::make_shared<MemoryWatch::Ear>();
  {
    MutexLock lock(ear->mutex);
    ear->heard = std::move(heard);
  }
  auto listen = std::make_shared<Heard>([ear](std::string_view payload) {
    MutexLock lock(ear->mutex);
    if (ear->heard) ear->heard(payload);
  });
  ORRERY_ASSIGN(const MemoryCluster::WatchId id,
                Wait<Result<MemoryCluster::WatchId>>(ObjectCall::kNotify, object,
                                                     [this, name = std::string(object), listen] {
                                                       return cluster_.StartWatch(name, listen);
                                                     }));
  return std::make_unique<MemoryWatch>(cluster_, std::string(object), id, std::move(ear));
}

Status MemoryStore::Notify(std::string_view object, std::string_view payload,
                           std::chrono::milliseconds /*patience*/) {
  return Wait<Status>(ObjectCall::kNotify, object,
                      [this, name = std::string(object), text = std::string(payload)]() -> Status {
                        ORRERY_ASSIGN(const auto watchers, cluster_.Watchers(name));
                        for (const auto& heard : watchers) (*heard)(text);
                        return {};
                      });
}

}  // namespace orrery::storage::rados
