// A ChargeTrace collects what the parts of one request's charge were, for a client that asked.
//
// It belongs to the threads that work for the request: a Scope makes it the current one, and tasks
// that are submitted to a ThreadPool meanwhile run under it, too. Whoever charges asks Current(),
// which is null for nearly all requests and costs one look at a variable of the thread.
//
// Thread-safe.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "base/mutex.h"
#include "base/request_units.h"

namespace orrery {

// A part of a price: `count` of `what`.
struct ChargePart {
  std::string_view what;  // of static lifetime
  uint64_t count = 0;
  RequestUnits charge;
  uint64_t partition = 0;  // physical; 0: none in particular
};

class ChargeTrace {
 public:
  // Further parts of one partition and kind are added to what is there already.
  static constexpr size_t kPartsMax = 4'096;

  // Makes a trace the current one of this thread, until it goes. Null: none is.
  class Scope {
   public:
    explicit Scope(std::shared_ptr<ChargeTrace> trace);
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    std::shared_ptr<ChargeTrace> former_;
  };
  // Null when nobody asked.
  static const std::shared_ptr<ChargeTrace>& Current();

  void Add(std::span<const ChargePart> parts, uint64_t partition) EXCLUDES(mutex_);

  // The parts, largest first, and one more for what of `total` they do not explain, so that they
  // sum to it.
  std::vector<ChargePart> Explain(RequestUnits total, std::string_view rest) const EXCLUDES(mutex_);

 private:
  mutable Mutex mutex_;
  std::vector<ChargePart> parts_ GUARDED_BY(mutex_);
};

}  // namespace orrery
