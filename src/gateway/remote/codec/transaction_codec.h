// The messages by which transactions work on several nodes (gateway/snapshot).
//
//   id       := node:number number:number
//   within   := id method:number body              ; kWithinTransaction: a request in a branch
//   answer   := failure:uint8 wrapped              ; the branch's, and the request's own answer
//   begin    := step:uint8 id time                 ; kBeginTransaction
//   answer   := latest:time fits:flag
//   end      := act:uint8 id deadline:time receipt:bytes value:bytes   ; kEndTransaction
//   answer   := failure:uint8 status
//   find     := receipt:bytes value:bytes          ; kFindReceipt
//   answer   := found:flag count:number partition:number*
//   open     := count:number number*               ; kTellOpenTransactions: those of the callee
//   answer   := count:number number*               ; the ones that are open
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/ids.h"
#include "base/status.h"
#include "cluster/peers.h"
#include "gateway/snapshot/transaction_link.h"

namespace orrery::gateway {

struct WithinHead {
  TransactionId id;
  cluster::PeerMethod method{};
  std::string_view body;
};
std::string EncodeWithin(const TransactionId& id, cluster::PeerMethod method,
                         std::string_view body);
Result<WithinHead> DecodeWithin(std::string_view bytes);

struct WithinAnswer {
  TransactionFailure failure = TransactionFailure::kNone;
  std::string_view wrapped;
};
std::string EncodeWithinAnswer(TransactionFailure failure, std::string_view wrapped);
Result<WithinAnswer> DecodeWithinAnswer(std::string_view bytes);

struct BranchBegin {
  // kAnnounce makes all later times of the node come after `time`; kTake takes the snapshots, which
  // fit if nothing in them is later.
  enum class Step : uint8_t { kAnnounce, kTake };
  Step step = Step::kAnnounce;
  TransactionId id;
  Micros time{0};
};
struct BranchBegun {
  Micros latest{0};  // of the node's clock
  bool fits = false;
};
std::string EncodeBegin(const BranchBegin& begin);
Result<BranchBegin> DecodeBegin(std::string_view bytes);
std::string EncodeBegun(const BranchBegun& begun);
Result<BranchBegun> DecodeBegun(std::string_view bytes);

struct BranchEnd {
  enum class Act : uint8_t { kAbort, kCommit };
  Act act = Act::kAbort;
  TransactionId id;
  Micros deadline{0};   // of a commit: later it is not made
  std::string receipt;  // that is stored with it
  std::string value;
};
struct BranchEnded {
  TransactionFailure failure = TransactionFailure::kNone;
  Status status;
};
std::string EncodeEnd(const BranchEnd& end);
Result<BranchEnd> DecodeEnd(std::string_view bytes);
std::string EncodeEnded(const BranchEnded& ended);
Result<BranchEnded> DecodeEnded(std::string_view bytes);

struct ReceiptQuestion {
  std::string name;
  std::string value;
};
struct ReceiptAnswer {
  bool found = false;
  std::vector<PartitionId> looked;  // all partitions that the node has open
};
std::string EncodeReceiptQuestion(const ReceiptQuestion& question);
Result<ReceiptQuestion> DecodeReceiptQuestion(std::string_view bytes);
std::string EncodeReceiptAnswer(const ReceiptAnswer& answer);
Result<ReceiptAnswer> DecodeReceiptAnswer(std::string_view bytes);

std::string EncodeNumbers(const std::vector<uint64_t>& numbers);
Result<std::vector<uint64_t>> DecodeNumbers(std::string_view bytes);

}  // namespace orrery::gateway
