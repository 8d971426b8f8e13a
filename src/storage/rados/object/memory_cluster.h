// A MemoryCluster is what several MemoryStores share: the objects of one pool and namespace, the
// locks, the blocklist and the watches, kept in memory. For tests; the stores are its clients.
//
// It does the worst that ObjectStore's contract allows where that makes a difference: an object
// refuses a blocklisted client only once another client has touched it since, as the part of a real
// cluster that has not heard of a blocklisting goes on serving.
//
// Thread-safe. Must outlive its clients.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"
#include "base/status.h"
#include "storage/rados/object/object_store.h"

namespace orrery::storage::rados {

class MemoryCluster {
 public:
  // The time of locks and modifications comes from `clock`, which must outlive the cluster.
  explicit MemoryCluster(const Clock& clock) : clock_(clock) {}

  // The operations of clients, each by its address; errors as of ObjectStore.
  Status Apply(const std::string& address, const std::string& object, const ObjectWrite& write)
      EXCLUDES(mutex_);
  Result<std::string> Read(const std::string& address, const std::string& object, uint64_t offset,
                           size_t bytes) EXCLUDES(mutex_);
  Result<ObjectStat> Stat(const std::string& address, const std::string& object) EXCLUDES(mutex_);
  Result<std::map<std::string, std::string>> Attributes(const std::string& address,
                                                        const std::string& object) EXCLUDES(mutex_);
  Result<EntryPage> Entries(const std::string& address, const std::string& object,
                            const std::string& after, size_t count) EXCLUDES(mutex_);
  Result<NamePage> List(const std::string& cursor, size_t count) EXCLUDES(mutex_);

  struct LockRequest {
    std::string name;
    std::string cookie;
    std::chrono::milliseconds duration;
    bool renew_only = false;
  };
  Status Lock(const std::string& address, const std::string& object, const LockRequest& request)
      EXCLUDES(mutex_);
  Status Unlock(const std::string& address, const std::string& object, const std::string& name,
                const std::string& cookie) EXCLUDES(mutex_);
  Status BreakLock(const std::string& address, const std::string& object, const std::string& name,
                   const LockHolder& holder) EXCLUDES(mutex_);
  Result<std::optional<LockHolder>> HolderOf(const std::string& object, const std::string& name)
      EXCLUDES(mutex_);
  void Blocklist(const std::string& address) EXCLUDES(mutex_);

  using WatchId = uint64_t;
  using Heard = std::shared_ptr<ObjectStore::Heard>;
  Result<WatchId> StartWatch(const std::string& object, Heard heard) EXCLUDES(mutex_);
  void EndWatch(const std::string& object, WatchId watch) EXCLUDES(mutex_);
  Result<std::vector<Heard>> Watchers(const std::string& object) EXCLUDES(mutex_);

  // Beyond this writes of bytes are refused with kResourceExhausted.
  void SetBytesMax(uint64_t bytes) EXCLUDES(mutex_);

  // For tests to look at, past all faults.
  std::vector<std::string> Names() const EXCLUDES(mutex_);
  uint64_t bytes() const EXCLUDES(mutex_);

  // A new client's address.
  std::string NewAddress() EXCLUDES(mutex_);

 private:
  struct HeldLock {
    LockHolder holder;
    Micros expires{0};
  };
  struct Object {
    std::string bytes;
    std::map<std::string, std::string> attributes;
    std::map<std::string, std::string> entries;
    std::map<std::string, HeldLock> locks;
    std::map<WatchId, Heard> watches;
    std::chrono::system_clock::time_point modified;
  };

  Status Admit(const std::string& address, const std::string& object) REQUIRES(mutex_);
  Result<Object*> Find(const std::string& address, const std::string& object) REQUIRES(mutex_);
  // Checks that all of `write` can be done.
  Status Check(const std::string& object, const ObjectWrite& write) REQUIRES(mutex_);
  void Do(const std::string& object, const ObjectWrite::Step& step) REQUIRES(mutex_);
  HeldLock* ValidLock(Object& object, const std::string& name) REQUIRES(mutex_);
  void Resize(Object& object, size_t bytes) REQUIRES(mutex_);

  const Clock& clock_;
  mutable Mutex mutex_;
  std::map<std::string, Object> objects_ GUARDED_BY(mutex_);
  std::map<std::string, uint64_t> blocklist_ GUARDED_BY(mutex_);  // address -> its number
  // The number of blocklistings that an object has heard of, also of one that does not exist.
  std::map<std::string, uint64_t> heard_ GUARDED_BY(mutex_);
  uint64_t bytes_ GUARDED_BY(mutex_) = 0;
  uint64_t bytes_max_ GUARDED_BY(mutex_) = UINT64_MAX;
  WatchId last_watch_ GUARDED_BY(mutex_) = 0;
  uint64_t last_client_ GUARDED_BY(mutex_) = 0;
};

}  // namespace orrery::storage::rados
