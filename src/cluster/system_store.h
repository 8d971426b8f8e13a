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
#include <future>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

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
    void Put(std::string_view key, std::string_view value) {
      batch_.Put(key, value);
      keys_.emplace_back(key);
    }
    void Delete(std::string_view key) {
      batch_.Delete(key);
      keys_.emplace_back(key);
    }

   private:
    friend class SystemStore;
    storage::Batch batch_;
    std::vector<std::string> keys_;
    std::set<std::string> sequences_;  // that ids were taken from
  };

  // Durable on return. After an error the outcome is unknown, and nothing more is committed until
  // Reopen() has succeeded.
  Status Commit(Change change) EXCLUDES(mutex_, commit_mutex_, ids_mutex_);

  // Why nothing is committed any more; nothing while all is well.
  std::optional<Error> Failure() const EXCLUDES(mutex_);
  // Opens the store anew from its files and takes back what of a failed commit had reached them: as
  // far as anybody was told, it did not happen. Until it succeeds, reads may be refused with
  // kUnavailable. One call at a time; not from inside ForEach.
  Status Reopen() EXCLUDES(mutex_);

  Result<std::optional<std::string>> Get(std::string_view key) const;
  // Every entry whose key begins with `prefix`, in key order.
  Status ForEach(
      std::string_view prefix,
      const std::function<Status(std::string_view key, std::string_view value)>& visit) const;

  // The next unused id of a sequence; noted in `change`: when that commits, this id and all handed
  // out before are never handed out again, and without it not by this process. Changes may commit
  // in another order than they took their ids.
  Result<uint64_t> NextId(std::string_view sequence, Change& change) EXCLUDES(ids_mutex_);

 private:
  // The engine, closed when its last user lets go.
  struct Opened {
    ~Opened();
    std::unique_ptr<storage::Engine> engine;
    std::promise<void> closed;
  };
  // What keys held before the commits whose outcome is unknown; nullopt where nothing was.
  using Before = std::map<std::string, std::optional<std::string>>;

  SystemStore(storage::EngineResources& resources, std::string path)
      : resources_(resources), path_(std::move(path)) {}
  Status OpenEngine() EXCLUDES(mutex_);
  // kUnavailable while the store is closed.
  Result<std::shared_ptr<Opened>> Use() const EXCLUDES(mutex_);
  Result<Before> ReadDoubtful() const EXCLUDES(mutex_);

  storage::EngineResources& resources_;  // must outlive the store
  const std::string path_;

  mutable Mutex mutex_;
  std::shared_ptr<Opened> opened_ GUARDED_BY(mutex_);  // null after a failed Reopen
  std::set<std::string> doubtful_ GUARDED_BY(mutex_);  // keys of commits whose outcome is unknown
  std::optional<Before> before_ GUARDED_BY(mutex_);    // to be put back; known from Reopen on

  Mutex commit_mutex_;  // one commit at a time; taken before the others
  Mutex ids_mutex_;
  std::map<std::string, uint64_t, std::less<>> last_ids_ GUARDED_BY(ids_mutex_);
};

}  // namespace orrery::cluster
