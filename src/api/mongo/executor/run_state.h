// A RunState is what all parts of one query share while it runs, over several requests if it is
// kept as a cursor: the request that is being answered, and what the run has cost.
//
// Used by one thread at a time.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>

#include "api/mongo/error/error_map.h"
#include "api/mongo/error/mongo_error.h"
#include "base/request_context.h"
#include "base/request_units.h"

namespace orrery::mongo {

class IndexUses;

struct RunState {
  std::shared_ptr<const void> within;         // the transaction that it reads in; goes last
  const RequestContext* request = nullptr;    // nullptr: nothing stops it
  const std::atomic<bool>* killed = nullptr;  // of the command; nullptr: nobody can kill it
  IndexUses* index_uses = nullptr;            // told of indexes that are read; nullptr: nobody is
  RequestUnits charge;
  size_t keys_examined = 0;
  size_t documents_examined = 0;

  // Returns whether the batch should end here, if it can.
  bool is_late() const { return request != nullptr && request->is_late(); }

  // kMaxTimeMsExpired or kInterrupted if the request is not wanted any more.
  Outcome Check() const {
    if (killed != nullptr && killed->load(std::memory_order_relaxed))
      return Refuse(ErrorCode::kInterrupted, "operation was interrupted");
    if (request == nullptr) return {};
    switch (request->stop_reason()) {
      case StopReason::kNone:
        return {};
      case StopReason::kDeadline:
        return Refuse(ErrorCode::kMaxTimeMsExpired, "operation exceeded time limit");
      default:
        return Refuse(ErrorCode::kInterrupted, "operation was interrupted");
    }
  }
};

}  // namespace orrery::mongo
