// RemoteScans asks other nodes for pieces of scans: each node once, for all of its pieces, and all
// nodes at the same time. A node of an older release, which knows no such call, is asked for each
// piece by itself.
//
// Thread-safe.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/ids.h"
#include "base/mutex.h"
#include "base/status.h"
#include "gateway/position/ring_pieces.h"
#include "gateway/remote/forwarder.h"
#include "gateway/requests.h"
#include "gateway/scan_run.h"

namespace orrery::gateway {

// A piece of a scan that another node has. All must outlive it.
struct PieceQuestion {
  const RingPiece& piece;
  const ScanSpec& spec;
  const ScanTarget& target;
  item::PageLimits room;  // what the page may still have
};

class RemoteScans {
 public:
  // Pieces that are asked for by one call.
  static constexpr size_t kPiecesPerCall = 64;

  // Both must outlive it.
  // `within`: the transaction that the pieces are a part of; null: none.
  RemoteScans(Forwarder& forwarder, const Clock& clock,
              std::shared_ptr<TransactionLink> within = nullptr)
      : forwarder_(forwarder), clock_(clock), within_(std::move(within)) {}

  // Calls `meanwhile` when all is on its way. Returns the answers in the order of the questions;
  // kMoved of a piece whose owner has it no more or could not be asked. Blocks.
  std::vector<Result<ScanPieceAnswer>> Ask(const ContainerEntry& container,
                                           std::span<const PieceQuestion> questions,
                                           const std::function<void()>& meanwhile) EXCLUDES(mutex_);

 private:
  struct Call;  // one, of one owner
  class Answers;

  std::vector<Call> Group(std::span<const PieceQuestion> questions) EXCLUDES(mutex_);
  void Send(const ContainerEntry& container, std::span<const PieceQuestion> questions,
            const Call& call, std::function<void(Result<std::string>)> done);
  // Returns whether a node must be asked for single pieces: it is known to be of an older release,
  // or has a branch of the transaction, which is asked so.
  bool IsOld(NodeId node) EXCLUDES(mutex_);
  void NoteOld(NodeId node) EXCLUDES(mutex_);

  Forwarder& forwarder_;
  const Clock& clock_;
  const std::shared_ptr<TransactionLink> within_;
  Mutex mutex_;
  // Nodes that are asked for single pieces until then: they may be of a newer release by now.
  std::map<NodeId, Micros> old_until_ GUARDED_BY(mutex_);
};

}  // namespace orrery::gateway
