// Peers is how a node calls the others of its cluster: a method's number and bytes go out, bytes or
// an error come back. The bytes belong to the service that offers the method; the transport
// (server/, over net/rpc) does not interpret them.
//
// A call is answered exactly once: with the callee's answer or error; kMoved when it was not sent,
// as there is no such node or no connection to it; kUnavailable when the connection broke or no
// answer came in time. Then it is unknown whether the callee did it.
//
// Thread-safe. `done` runs on any thread and must not block.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "base/ids.h"
#include "base/status.h"

namespace orrery::cluster {

// Numbers are part of the protocol between nodes: never reused.
enum class PeerMethod : uint16_t {
  // gateway/remote: documents
  kWriteItems = 1,
  kReadItem = 2,
  kScanItems = 3,
  kReadFeed = 4,
  kFindHolder = 5,
  kRunProgram = 6,
  kScanManyItems = 7,
  // gateway/remote: rows
  kWriteRows = 16,
  kReadRow = 17,
  kScanRows = 18,
  kReadRowFeed = 19,
  kEstimateRows = 20,
  kReadForProgram = 21,
  // gateway/remote: steps of index builds
  kBuildIndex = 24,
  kDropIndex = 25,
  // gateway/remote: transactions over nodes
  kWithinTransaction = 32,
  kBeginTransaction = 33,
  kEndTransaction = 34,
  kFindReceipt = 35,
  kTellOpenTransactions = 36,
  kPrepareTransaction = 37,
  kDecideTransaction = 38,
  kResolveTransaction = 39,
  // cluster/: the system state and who owns what
  kCommitSystem = 48,
  kTakeId = 49,
  kFollowSystem = 50,
  kApplySystem = 51,
  // cluster/: partitions of the callee
  kPartitionStatistics = 52,
  kSplitPartition = 53,
  kMergePartitions = 54,
  kReleasePartition = 55,
  kPartitionsInUse = 57,
  // cluster/member: what time it is there
  kTellTime = 56,
  // cluster/manager: the caller is about to stop
  kRelieve = 58,
};

class Peers {
 public:
  using Done = std::move_only_function<void(Result<std::string>)>;

  virtual ~Peers() = default;
  virtual void Call(NodeId node, PeerMethod method, std::string request,
                    std::chrono::milliseconds patience, Done done) = 0;
  // Blocks: never on an event loop.
  Result<std::string> CallAndWait(NodeId node, PeerMethod method, std::string request,
                                  std::chrono::milliseconds patience);
};

// The other side: whoever offers methods registers here before the node is reachable.
class PeerService {
 public:
  using Answer = std::move_only_function<void(Result<std::string>)>;

  virtual ~PeerService() = default;
  // `answer` must be called exactly once, from any thread. Must not block: runs on an event loop.
  virtual void Serve(NodeId caller, PeerMethod method, std::string request, Answer answer) = 0;
};

// Returns the error for a request whose bytes are malformed.
std::unexpected<Error> UnreadableMessage();

}  // namespace orrery::cluster
