// A CursorRegistry keeps queries between the requests of clients, for protocols with state (a
// cursor is opened by one request and read by others) and for queries that would otherwise be
// computed again for every page.
//
// A cursor has an id that nobody can guess, and an owner: an opaque text that says who may use it
// (a user and a session, say). It is used by one request at a time: CheckOut() hands the run to the
// caller, CursorUse::Return() gives it back. A cursor that is not used for a while is removed, and
// so is everything that is past the limits refused, so memory stays bounded whatever clients do.
// Losing a cursor is always possible: protocols have an error for it ("cursor not found").
//
// Thread-safe. Runs are destroyed without a lock held. The registry must outlive every CursorUse.
#pragma once

#include <atomic>
#include <cstdint>
#include <expected>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/metrics.h"
#include "base/mutex.h"
#include "base/status.h"
#include "query/cursor/cursor_limits.h"
#include "query/cursor/cursor_use.h"
#include "query/cursor/kept_run.h"

namespace orrery::query {

struct CursorOptions {
  std::string owner;
  bool never_times_out = false;  // then only Kill and the limits end it
};

// The public facts of a cursor.
struct CursorInfo {
  CursorId id;
  std::string owner;
  size_t bytes = 0;
  Micros idle{0};  // since the last use; 0 while it is used
  bool in_use = false;
};

class CursorRegistry {
 public:
  struct Parts {
    const Clock& clock;  // must outlive the registry, as must the metrics
    MetricsRegistry& metrics;
    // Returns 64 bits that nobody can guess. Called from any thread.
    std::function<uint64_t()> random;
    std::string_view api;  // a label of the metrics
    CursorLimits limits = {};
  };
  explicit CursorRegistry(Parts parts);
  ~CursorRegistry();  // REQUIRES: no cursor is in use

  // Keeps a run. kResourceExhausted if that is past a limit: the run is gone then.
  Result<CursorId> Add(std::unique_ptr<KeptRun> run, CursorOptions options) EXCLUDES(mutex_);

  // Takes a cursor out for one request.
  std::expected<CursorUse, CursorRefusal> CheckOut(CursorId id, std::string_view owner)
      EXCLUDES(mutex_);

  // Ends a cursor, or has it end when the request that uses it gives it back: nobody can use it
  // from now on. Never answers kInUse.
  std::expected<void, CursorRefusal> Kill(CursorId id, std::string_view owner) EXCLUDES(mutex_);
  // Ends all cursors of an owner, and all that there are. Return how many.
  size_t KillOwner(std::string_view owner) EXCLUDES(mutex_);
  size_t KillAll() EXCLUDES(mutex_);
  // Ends those of owners for which `pick` is true. It is called with the lock held.
  size_t KillIf(const std::function<bool(std::string_view owner)>& pick) EXCLUDES(mutex_);

  // Removes cursors that were idle for too long. Call it every few seconds; none is used after its
  // time in any case.
  void Expire() EXCLUDES(mutex_);

  // Returns the cursors that there are, by id. Killed ones are left out.
  std::vector<CursorInfo> List() const EXCLUDES(mutex_);

 private:
  friend class CursorUse;

  struct Entry {
    std::string owner;
    std::unique_ptr<KeptRun> run;  // null while it is in use
    size_t bytes = 0;
    bool never_times_out = false;
    Micros last_used{0};
    std::shared_ptr<std::atomic<bool>> killed;
  };
  struct Total {
    size_t cursors = 0;
    size_t bytes = 0;
  };
  using Entries = std::map<CursorId, Entry>;
  using Runs = std::vector<std::unique_ptr<KeptRun>>;  // to be destroyed without the lock

  Status Return(CursorId id, std::unique_ptr<KeptRun> run) EXCLUDES(mutex_);
  void EndUse(CursorId id) EXCLUDES(mutex_);

  bool IsExpired(const Entry& entry, Micros now) const {
    return entry.run != nullptr && !entry.never_times_out &&
           now - entry.last_used >= limits_.idle_max;
  }
  // kResourceExhausted if one more cursor, or more bytes of a cursor, do not fit.
  Status CheckFits(const std::string& owner, size_t cursors, size_t bytes) const REQUIRES(mutex_);
  void SetBytes(Entry& entry, size_t bytes) REQUIRES(mutex_);
  void BecomeIdle(CursorId id, Entry& entry, std::unique_ptr<KeptRun> run) REQUIRES(mutex_);
  void Remove(Entries::iterator at, Runs& removed) REQUIRES(mutex_);
  // Returns whether it was alive.
  bool KillEntry(Entries::iterator at, Runs& removed) REQUIRES(mutex_);
  void ExpireInto(Runs& removed) REQUIRES(mutex_);
  void Publish() const REQUIRES(mutex_);

  const Clock& clock_;
  const std::function<uint64_t()> random_;
  const CursorLimits limits_;
  Gauge& open_;
  Gauge& bytes_;
  Counter& opened_;
  Counter& timed_out_;
  Counter& killed_;
  Counter& refused_;

  mutable Mutex mutex_;
  Entries entries_ GUARDED_BY(mutex_);
  // Idle cursors that time out, the one that is idle for longest first.
  std::set<std::pair<Micros, CursorId>> idle_ GUARDED_BY(mutex_);
  std::unordered_map<std::string, Total> owners_ GUARDED_BY(mutex_);  // with cursors
  Total total_ GUARDED_BY(mutex_);
};

}  // namespace orrery::query
