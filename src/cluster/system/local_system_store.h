// The system store in an engine of its own. See system_store.h.
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

#include "base/mutex.h"
#include "base/status.h"
#include "cluster/system/system_store.h"
#include "storage/engine/engine.h"

namespace orrery::cluster {

class LocalSystemStore final : public SystemStore {
 public:
  // `resources` must outlive the store. Errors as SystemStore::Open; with `must_exist` kCorruption
  // where there is none, or an empty one.
  static Result<std::unique_ptr<LocalSystemStore>> Open(storage::EngineResources& resources,
                                                        const std::string& path,
                                                        bool must_exist = false);

  Status Commit(Change change) override EXCLUDES(mutex_, commit_mutex_, ids_mutex_);
  std::optional<Error> Failure() const override EXCLUDES(mutex_);
  Status Reopen() override EXCLUDES(mutex_);
  Result<std::optional<std::string>> Get(std::string_view key) const override;
  Status ForEach(std::string_view prefix, const Visit& visit) const override;
  Result<uint64_t> NextId(std::string_view sequence, Change& change) override EXCLUDES(ids_mutex_);

  // Is told of each commit, in their order and before the next one begins, with all that it
  // changed. Set it before anything is committed.
  using Committed = std::function<void(const Change& change)>;
  void OnCommit(Committed committed) { committed_ = std::move(committed); }

 private:
  // The engine, closed when its last user lets go.
  struct Opened {
    ~Opened();
    std::unique_ptr<storage::Engine> engine;
    std::promise<void> closed;
  };
  // The values of keys before the commits whose outcome is unknown; nullopt where nothing was.
  using Before = std::map<std::string, std::optional<std::string>>;

  LocalSystemStore(storage::EngineResources& resources, std::string path)
      : resources_(resources), path_(std::move(path)) {}
  Status OpenEngine(bool create) EXCLUDES(mutex_);
  // kUnavailable while the store is closed.
  Result<std::shared_ptr<Opened>> Use() const EXCLUDES(mutex_);
  Result<Before> ReadDoubtful() const EXCLUDES(mutex_);

  storage::EngineResources& resources_;
  const std::string path_;
  Committed committed_;

  mutable Mutex mutex_;
  std::shared_ptr<Opened> opened_ GUARDED_BY(mutex_);  // null after a failed Reopen
  std::set<std::string> doubtful_ GUARDED_BY(mutex_);  // keys of commits whose outcome is unknown
  std::optional<Before> before_ GUARDED_BY(mutex_);    // to be put back; known from Reopen on

  Mutex commit_mutex_;  // one commit at a time; taken before the others
  Mutex ids_mutex_;
  std::map<std::string, uint64_t, std::less<>> last_ids_ GUARDED_BY(ids_mutex_);
};

}  // namespace orrery::cluster
