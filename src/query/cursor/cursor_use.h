// A CursorUse is one request's hold of a cursor that a CursorRegistry keeps.
//
// A use that ends without Return() ends the cursor: its query is exhausted or has failed.
//
// Not thread-safe, but for killed().
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

#include "base/status.h"
#include "query/cursor/cursor_id.h"
#include "query/cursor/kept_run.h"

namespace orrery::query {

class CursorRegistry;

// Why a cursor cannot be used.
enum class CursorRefusal : uint8_t {
  kNotFound,  // never was, is exhausted, killed or timed out
  kForeign,   // belongs to another owner
  kInUse,     // another request is using it now
};

class CursorUse {
 public:
  CursorUse(CursorUse&&) noexcept = default;
  CursorUse& operator=(CursorUse&&) = delete;
  ~CursorUse();

  CursorId id() const { return id_; }
  KeptRun& run() { return *run_; }
  // Returns whether somebody has killed the cursor meanwhile: stop working for it.
  bool killed() const { return killed_->load(std::memory_order_relaxed); }

  // Gives the run back for the next request, and counts its bytes anew. kCancelled if the cursor
  // was killed meanwhile, kResourceExhausted if it has grown past a limit: then it is gone.
  Status Return() &&;

 private:
  friend class CursorRegistry;
  CursorUse(CursorRegistry& registry, CursorId id, std::unique_ptr<KeptRun> run,
            std::shared_ptr<const std::atomic<bool>> killed)
      : registry_(registry), id_(id), run_(std::move(run)), killed_(std::move(killed)) {}

  CursorRegistry& registry_;
  CursorId id_;
  std::unique_ptr<KeptRun> run_;  // null when it was given back or moved on
  std::shared_ptr<const std::atomic<bool>> killed_;
};

}  // namespace orrery::query
