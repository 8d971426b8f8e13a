// A RowWriteRun makes one write of rows whose partition another node has.
//
// Without a program that is one message. With one (item/row/row_program.h) what travels is data,
// never code: the owner sends the rows that the program looks at, the program decides here, and the
// changes go to the owner under the condition that the rows are still the same (guarded_changes.h).
// If they are not, they come back as they are now, to be decided on again; after the second time
// with a pause that grows and differs between writers, so that one of them gets through. Whoever
// follows rows (views) also sees how the owner says they would become, by one more round trip.
//
// Times are the owner's: a program's `now` is from the look that its decision was made on, and so
// later than every write that the decision could know of. So are the charges: of every round trip.
//
// Lives until its answer is out, owned by what it waits for.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/hash128.h"
#include "base/status.h"
#include "gateway/remote/codec/row_write_codec.h"
#include "gateway/remote/forwarder.h"
#include "gateway/remote/guarded_changes.h"
#include "gateway/remote/rows_seen.h"
#include "gateway/row/row_requests.h"

namespace orrery::gateway {

class RowWriteRun : public std::enable_shared_from_this<RowWriteRun> {
 public:
  // The number of decisions on rows that others then changed first: kOverloaded beyond.
  static constexpr int kDecisionsMax = 24;
  static constexpr std::chrono::milliseconds kPauseMax{64};

  // Called once, from any thread; must not block.
  using Done = std::move_only_function<void(RowWriteResponse)>;

  // `forwarder` must outlive it. `hash` is the key's.
  RowWriteRun(Forwarder& forwarder, Hash128 hash, RowWriteRequest request, Done done)
      : forwarder_(forwarder), hash_(hash), request_(std::move(request)), done_(std::move(done)) {}

  void Start();

 private:
  using Next = void (RowWriteRun::*)(RowsSeen seen);

  void SendWhole();
  void Look();
  // Sends the guard's step; `next` gets what was seen, when the rows are those that it expects.
  void Send(Guard guard, Next next);
  void Take(Result<std::string> answer, bool commits, std::optional<Hash128> expected, Next next);

  void Consider(RowsSeen seen);
  void LookOn(RowsSeen seen);
  // Computes the derived writes from rows as they were and as they would be.
  void Follow(RowsSeen tried);
  void AfterDecision();
  void Commit();
  // The rows are others by now.
  void DecideAgain(RowsSeen seen);

  Guard MakeGuard(Guard::Step step) const;
  std::chrono::milliseconds PauseOfThisTry() const;
  void Finish(Status status);

  Forwarder& forwarder_;
  const Hash128 hash_;
  RowWriteRequest request_;
  Done done_;
  RowsSeen seen_;  // what the decision was made on
  std::optional<Hash128> digest_;
  item::RowChanges decided_;
  RequestUnits charge_;
  int decisions_ = 0;
};

}  // namespace orrery::gateway
