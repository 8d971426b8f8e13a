// The system store keeps what must change together across partitions: the catalog (gateway) and the
// list of physical partitions (cluster). One small engine; every change is one synced batch, so a
// crash leaves all of a change or none of it.
//
//   "ct/" "db/" ...   the catalog's records, see gateway/catalog/catalog_codec.h
//   "pt/" id:uint64   partition records, see partition_record.h
//   "id/" name        the last id handed out, uint64
//   "tr/" id:uint64   partitions to trim, see node_state.h
//   "fmt"             the format version of the data directory
//
// Thread-safe.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/mutex.h"
#include "base/status.h"
#include "storage/engine/engine.h"

namespace orrery::cluster {

class SystemStore {
 public:
  // kUnavailable when another process has it open; kCorruption or kUnsupported when the directory
  // is damaged or was written by a newer version.
  static Result<std::unique_ptr<SystemStore>> Open(storage::EngineResources& resources,
                                                   const std::string& path);

  // A set of puts and deletes that Commit applies atomically.
  class Change {
   public:
    void Put(std::string_view key, std::string_view value) { batch_.Put(key, value); }
    void Delete(std::string_view key) { batch_.Delete(key); }

   private:
    friend class SystemStore;
    storage::Batch batch_;
  };

  // Durable on return.
  Status Commit(Change change);

  Result<std::optional<std::string>> Get(std::string_view key) const;
  // Every entry whose key begins with `prefix`, in key order.
  Status ForEach(
      std::string_view prefix,
      const std::function<Status(std::string_view key, std::string_view value)>& visit) const;

  // The next unused id of a sequence; remembered in `change`, so that an id becomes used when the
  // change commits, and a number handed out is never handed out again by this process.
  Result<uint64_t> NextId(std::string_view sequence, Change& change) EXCLUDES(mutex_);

 private:
  explicit SystemStore(std::unique_ptr<storage::Engine> engine) : engine_(std::move(engine)) {}

  const std::unique_ptr<storage::Engine> engine_;
  Mutex mutex_;
  std::map<std::string, uint64_t, std::less<>> last_ids_ GUARDED_BY(mutex_);
};

}  // namespace orrery::cluster
