// A MemoryStore is one client of a MemoryCluster: an ObjectStore for tests, with everything that
// can happen to a client of a real cluster as a call.
//
// Operations wait in a queue and are carried out, and answered, by one thread of the store; those
// on one object in their order, others in an order that the seed decides, as in a real cluster. A
// test can stop the client (SIGSTOP: what it submitted waits, on its own side or in the network),
// carry out some of what waits, let it go on, or crash it.
//
// Thread-safe.
#pragma once

#include <array>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <thread>

#include "base/mutex.h"
#include "storage/rados/object/memory_cluster.h"
#include "storage/rados/object/object_store.h"

namespace orrery::storage::rados {

enum class ObjectCall : uint8_t { kWrite, kRead, kInspect, kEntries, kList, kLock, kNotify };
inline constexpr size_t kObjectCallKinds = static_cast<size_t>(ObjectCall::kNotify) + 1;

enum class ObjectFault : uint8_t {
  kLostRequest,  // not done, kUnavailable
  kLostAnswer,   // done, kUnavailable
  kFull,         // not done, kResourceExhausted
  kCrash,        // see Crash()
};

class MemoryStore final : public ObjectStore {
 public:
  // `cluster` must outlive the store.
  explicit MemoryStore(MemoryCluster& cluster, uint64_t seed = 1);
  // Carries out what is queued, or drops it when stopped or crashed.
  ~MemoryStore() override;

  void Submit(std::string_view object, ObjectWrite write, Done done) override;
  void SubmitRead(std::string_view object, uint64_t offset, size_t bytes, ReadDone done) override;
  Result<ObjectStat> Stat(std::string_view object) override;
  Result<std::map<std::string, std::string>> Attributes(std::string_view object) override;
  Result<EntryPage> Entries(std::string_view object, std::string_view after, size_t count) override;
  Result<NamePage> List(std::string_view cursor, size_t count) override;
  Status Lock(std::string_view object, std::string_view name, std::string_view cookie,
              std::chrono::milliseconds duration) override;
  Status RenewLock(std::string_view object, std::string_view name, std::string_view cookie,
                   std::chrono::milliseconds duration) override;
  Status Unlock(std::string_view object, std::string_view name, std::string_view cookie) override;
  Status BreakLock(std::string_view object, std::string_view name,
                   const LockHolder& holder) override;
  Result<std::optional<LockHolder>> HolderOf(std::string_view object,
                                             std::string_view name) override;
  std::string Address() const override { return address_; }
  Status Blocklist(const std::string& address) override;
  Result<std::unique_ptr<Watch>> StartWatch(std::string_view object, Heard heard) override;
  Status Notify(std::string_view object, std::string_view payload,
                std::chrono::milliseconds patience) override;

  // So many were begun, in all and of one kind; and the bytes that writes carried.
  uint64_t calls() const EXCLUDES(mutex_);
  uint64_t calls(ObjectCall kind) const EXCLUDES(mutex_);
  uint64_t bytes_written() const EXCLUDES(mutex_);

  // The call that follows `calls` more (0: the next one) meets `fault`; one such plan at a time.
  void FaultAfter(uint64_t calls, ObjectFault fault) EXCLUDES(mutex_);
  // Every write on an object whose name `matches` meets `fault`, until null is given.
  using Matches = std::function<bool(std::string_view object)>;
  void FaultWrites(Matches matches, ObjectFault fault) EXCLUDES(mutex_);

  // Applies or loses what waits, as the seed decides, a first part of it on each object; all of it
  // and all that follows is answered with kUnavailable.
  void Crash() EXCLUDES(mutex_);
  bool crashed() const EXCLUDES(mutex_);

  void Stop() EXCLUDES(mutex_);
  void Continue() EXCLUDES(mutex_);
  size_t waiting() const EXCLUDES(mutex_);
  // REQUIRES: stopped. Carries out up to `count` of what waits and answers it; how many it were.
  size_t Step(size_t count) EXCLUDES(mutex_);
  // Returns when `count` operations wait. REQUIRES: stopped, and somebody submits them.
  void AwaitWaiting(size_t count) EXCLUDES(mutex_);

  // Called on the store's thread before each call is carried out, outside every lock.
  void BeforeEach(std::function<void()> hook) EXCLUDES(mutex_);

 private:
  class MemoryWatch;
  struct Operation {
    ObjectCall kind;
    std::string object;
    uint64_t bytes = 0;
    std::move_only_function<void()> apply;
    // With the outcome of `apply`, or with the error given.
    std::move_only_function<void(std::optional<Error>)> answer;
  };
  template <typename T, typename Call>
  T Wait(ObjectCall kind, std::string_view object, Call call);

  void Enqueue(Operation operation) EXCLUDES(mutex_);
  void Run() EXCLUDES(mutex_);
  // One of those with nothing before them on their object. REQUIRES: something waits.
  Operation TakeNext() REQUIRES(mutex_);
  std::optional<ObjectFault> FaultOf(const Operation& operation) REQUIRES(mutex_);
  void CrashNow() REQUIRES(mutex_);
  // Applies and answers it, unless a fault comes in between.
  void CarryOut(Operation operation) EXCLUDES(mutex_);

  MemoryCluster& cluster_;
  const std::string address_;

  mutable Mutex mutex_;
  CondVar changed_;
  std::mt19937_64 random_ GUARDED_BY(mutex_);
  std::deque<Operation> queue_ GUARDED_BY(mutex_);
  bool stopped_ GUARDED_BY(mutex_) = false;
  bool crashed_ GUARDED_BY(mutex_) = false;
  bool closing_ GUARDED_BY(mutex_) = false;
  std::function<void()> before_each_ GUARDED_BY(mutex_);
  std::array<uint64_t, kObjectCallKinds> calls_ GUARDED_BY(mutex_) = {};
  uint64_t bytes_written_ GUARDED_BY(mutex_) = 0;
  uint64_t fault_at_ GUARDED_BY(mutex_) = UINT64_MAX;
  ObjectFault fault_ GUARDED_BY(mutex_) = ObjectFault::kLostRequest;
  Matches write_matches_ GUARDED_BY(mutex_);
  ObjectFault write_fault_ GUARDED_BY(mutex_) = ObjectFault::kLostRequest;
  std::thread thread_;  // last: uses the others
};

}  // namespace orrery::storage::rados
