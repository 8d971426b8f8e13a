// An ObjectStore keeps named objects, each with bytes, attributes and ordered entries, as one pool
// and namespace of a RADOS cluster does. It is all that the rest of the server knows of RADOS.
//
// One ObjectWrite on one object is atomic, and durable on every live replica when it is answered;
// nothing spans two objects. Writes of one store to one object apply in the order of submission.
// Two implementations: librados_store.h, and memory_store.h for tests.
//
// Codes, by what the caller can do:
//   kNotFound            there is no such object
//   kAlreadyExists       a Create that must be the first was not
//   kPreconditionFailed  a requirement of the write did not hold: nothing was changed
//   kFenced              the cluster takes nothing from this process any more (blocklisted)
//   kResourceExhausted   the pool or the cluster is full: nothing was changed
//   kUnavailable         no answer in time; whether a write was applied is unknown
//   kForbidden           the user's capabilities do not allow it
//
// Thread-safe. Callbacks run on threads of the store and must not block.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "storage/rados/object/object_write.h"

namespace orrery::storage::rados {

struct ObjectStat {
  uint64_t bytes = 0;
  std::chrono::system_clock::time_point modified;
};

// Entries in key order, and whether there are more after the last.
struct EntryPage {
  std::map<std::string, std::string> entries;
  bool more = false;
};

// Names in no order, and where to go on; an empty cursor: that was all.
struct NamePage {
  std::vector<std::string> names;
  std::string cursor;
};

// The holder of a lock: `cookie` is what the holder gave, `address` what Blocklist takes.
struct LockHolder {
  std::string client;
  std::string cookie;
  std::string address;
};

class ObjectStore {
 public:
  using Done = std::move_only_function<void(Status)>;
  using ReadDone = std::move_only_function<void(Result<std::string>)>;

  virtual ~ObjectStore() = default;

  virtual void Submit(std::string_view object, ObjectWrite write, Done done) = 0;
  Status Apply(std::string_view object, ObjectWrite write);

  // Short only at the end of the object; kNotFound when there is none.
  virtual void SubmitRead(std::string_view object, uint64_t offset, size_t bytes,
                          ReadDone done) = 0;
  Result<std::string> Read(std::string_view object, uint64_t offset, size_t bytes);

  virtual Result<ObjectStat> Stat(std::string_view object) = 0;
  virtual Result<std::map<std::string, std::string>> Attributes(std::string_view object) = 0;
  // Up to `count` entries whose keys come after `after` (the empty key: from the first on).
  virtual Result<EntryPage> Entries(std::string_view object, std::string_view after,
                                    size_t count) = 0;
  // Every object of the namespace, once; those made or removed meanwhile, or not.
  virtual Result<NamePage> List(std::string_view cursor, size_t count) = 0;

  // Takes the lock for `duration` by the clock of the store, or prolongs it when this process has
  // it under the same cookie. kAlreadyExists when another has it. An expired lock is free, but
  // expiry fences nobody: see Blocklist.
  virtual Status Lock(std::string_view object, std::string_view name, std::string_view cookie,
                      std::chrono::milliseconds duration) = 0;
  // Prolongs only: kNotFound when the lock is not held under `cookie` any more.
  virtual Status RenewLock(std::string_view object, std::string_view name, std::string_view cookie,
                           std::chrono::milliseconds duration) = 0;
  virtual Status Unlock(std::string_view object, std::string_view name,
                        std::string_view cookie) = 0;
  // Takes the lock away from that holder, whoever asks: see Blocklist. kNotFound when that one does
  // not have it.
  virtual Status BreakLock(std::string_view object, std::string_view name,
                           const LockHolder& holder) = 0;
  // Returns who took it last and did not unlock it; nullopt when nobody has it or it has expired,
  // also when there is no such object.
  virtual Result<std::optional<LockHolder>> HolderOf(std::string_view object,
                                                     std::string_view name) = 0;

  // Under which address the cluster knows this process.
  virtual std::string Address() const = 0;
  // From the return on, writes of that process are refused by every part of the store that has
  // heard of it; each object is certain to refuse once it was read or written after the return.
  virtual Status Blocklist(const std::string& address) = 0;

  // `heard` is called with the payload of each Notify on the object by any process, until the
  // watch is destroyed. A hint, not a promise: notices may be lost when connections break.
  // kNotFound when there is no such object.
  class Watch {
   public:
    virtual ~Watch() = default;
  };
  using Heard = std::function<void(std::string_view payload)>;
  virtual Result<std::unique_ptr<Watch>> StartWatch(std::string_view object, Heard heard) = 0;
  // Returns when every watcher has heard it, or after `patience`.
  virtual Status Notify(std::string_view object, std::string_view payload,
                        std::chrono::milliseconds patience) = 0;
};

}  // namespace orrery::storage::rados
