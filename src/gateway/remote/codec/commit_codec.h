// The messages by which a transaction that has written to several partitions of a cluster is
// committed (docs/decisions/0069).
//
//   prepare  := id commit:number decision:place           ; kPrepareTransaction, of a branch
//   answer   := failure:uint8 status latest:time places
//   decide   := act:uint8 commit:number hash time receipt:bytes value:bytes
//                                                         ; kDecideTransaction, of the decision's
//                                                         owner
//   answer   := committed:flag time
//   resolve  := commit:number hash committed:flag time    ; kResolveTransaction, of a place's owner
//   answer   := places                                    ; that are resolved at that node
//   places   := count:number place*
//   place    := container:number hash
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/hash128.h"
#include "base/status.h"
#include "gateway/snapshot/prepared_table.h"
#include "gateway/snapshot/transaction_link.h"

namespace orrery::gateway {

struct PrepareRequest {
  TransactionId id;
  uint64_t commit = 0;
  LogicalPlace decision;
};
struct PrepareAnswer {
  TransactionFailure failure = TransactionFailure::kNone;
  Status status;
  Micros latest{0};  // of the node's clock
  std::vector<LogicalPlace> places;
};
std::string EncodePrepare(const PrepareRequest& request);
Result<PrepareRequest> DecodePrepare(std::string_view bytes);
std::string EncodePrepareAnswer(const PrepareAnswer& answer);
Result<PrepareAnswer> DecodePrepareAnswer(std::string_view bytes);

struct DecideRequest {
  // kCommit decides for the commit unless it was given up; kAsk gives it up unless it was decided;
  // kForget says that nobody will ask any more.
  enum class Act : uint8_t { kCommit, kAsk, kForget };
  Act act = Act::kAsk;
  uint64_t commit = 0;
  Hash128 hash;         // of the decision's place
  Micros time{0};       // of the commit
  std::string receipt;  // that is stored with it, of kCommit
  std::string value;
};
std::string EncodeDecide(const DecideRequest& request);
Result<DecideRequest> DecodeDecide(std::string_view bytes);
std::string EncodeOutcome(const CommitOutcome& outcome);
Result<CommitOutcome> DecodeOutcome(std::string_view bytes);

struct ResolveRequest {
  uint64_t commit = 0;
  Hash128 hash;  // of a place that it has at the node
  CommitOutcome outcome;
};
std::string EncodeResolve(const ResolveRequest& request);
Result<ResolveRequest> DecodeResolve(std::string_view bytes);
std::string EncodePlaces(const std::vector<LogicalPlace>& places);
Result<std::vector<LogicalPlace>> DecodePlaces(std::string_view bytes);

}  // namespace orrery::gateway
