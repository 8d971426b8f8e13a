#include "gateway/remote/remote_service.h"

#include <mutex>
#include <optional>
#include <shared_mutex>
#include <utility>
#include <vector>

#include "gateway/fan_out.h"
#include "gateway/remote/codec/claim_codec.h"
#include "gateway/remote/codec/feed_piece_codec.h"
#include "gateway/remote/codec/index_codec.h"
#include "gateway/remote/codec/item_read_codec.h"
#include "gateway/remote/codec/item_write_codec.h"
#include "gateway/remote/codec/program_codec.h"
#include "gateway/remote/codec/row_page_codec.h"
#include "gateway/remote/codec/row_read_codec.h"
#include "gateway/remote/codec/row_write_codec.h"
#include "gateway/remote/codec/scan_codec.h"
#include "gateway/remote/codec/scan_group_codec.h"
#include "gateway/remote/codec/transaction_codec.h"
#include "gateway/remote/envelope.h"
#include "gateway/remote/guarded_changes.h"
#include "gateway/snapshot/snapshot_transaction.h"
#include "gateway/snapshot/transaction_coordinator.h"

namespace orrery::gateway {
namespace {

using cluster::PeerMethod;

// Pieces of one call that are read in parallel.
constexpr size_t kPiecesAtOnce = 4;
// Items that one call reads on the event loop.
constexpr size_t kItemsAtOnceMax = 256;

// Nothing was done, and another node has the partition or will: this one may be stopping.
bool IsElsewhere(const Status& status) {
  return !status.has_value() &&
         (status.error().code() == Code::kMoved || status.error().code() == Code::kCancelled);
}

std::unexpected<Error> Elsewhere(const Status& status) {
  return Fail(Code::kMoved, status.error().message());
}

bool WouldBlock(const Error& error) { return error.code() == Code::kWouldBlock; }

Result<std::string> BodyOf(const WriteResponse& response) {
  if (IsElsewhere(response.status)) return Elsewhere(response.status);
  return EncodeWriteResponse(response);
}

Result<std::string> BodyOf(const ReadResponse& response) {
  if (IsElsewhere(response.status)) return Elsewhere(response.status);
  return EncodeReadResponse(response);
}

Result<std::vector<ScanPiece>> DecodeOne(std::string_view body) {
  ORRERY_ASSIGN(ScanPiece piece, DecodeScanPiece(body));
  std::vector<ScanPiece> pieces;
  pieces.push_back(std::move(piece));
  return pieces;
}

Result<std::string> BodyOf(bool is_one, const std::vector<Result<ScanPieceAnswer>>& pages) {
  if (!is_one) return EncodeScanGroupAnswer(pages);
  if (!pages.front().has_value()) return Fail(pages.front().error());
  return EncodeScanAnswer(*pages.front());
}

Result<std::string> BodyOf(RowWriteResponse response) {
  if (IsElsewhere(response.status)) return Elsewhere(response.status);
  RowWriteAnswer answer{
      .status = std::move(response.status), .charge = response.charge, .seen = std::nullopt};
  if (response.program != nullptr) {
    // Only guards are made of messages.
    auto& guard = static_cast<GuardedChanges&>(*response.program);
    // Not when the group it was in could not be stored: it may have seen what was lost.
    const bool by_guard =
        !answer.status.has_value() && answer.status.error().code() == Code::kPreconditionFailed;
    if (guard.refused() && by_guard) answer.seen = guard.TakeSeen();
  }
  return EncodeRowWriteAnswer(answer);
}

}  // namespace

// One request from its arrival to its answer.
struct RemoteService::Call {
  PeerMethod method;
  std::string request;
  Answer answer;
  ContainerRef container{};
  std::string_view body{};           // of the request
  std::shared_ptr<Branch> branch{};  // of the transaction that it is within; null: none

  void Reply(const Result<std::string>& result) {
    if (branch == nullptr) return answer(WrapAnswer(result));
    answer(WrapAnswer(EncodeWithinAnswer(branch->transaction->failure(), WrapAnswer(result))));
  }
  // That the transaction has no branch here that could answer.
  void ReplyWithoutBranch() {
    branch = nullptr;
    const Result<std::string> ended =
        Fail(Code::kPreconditionFailed, "the transaction is not known to this node any more");
    Reply(EncodeWithinAnswer(TransactionFailure::kUnavailable, WrapAnswer(ended)));
  }
};

Result<ContainerRef> RemoteService::Find(ContainerId id, uint64_t version) const {
  const auto snapshot = catalog_.snapshot();
  const ContainerRef* found = snapshot->by_id.Find(id);
  if (found == nullptr || (*found)->version < version)
    return Fail(Code::kMoved, "the container, or that version of it, is not known to this node");
  // Has begun to stop.
  if (gateway_.node().topology()->map->Ranges(id).empty())
    return Fail(Code::kMoved, "this node has no partition of the container");
  return *found;
}

bool RemoteService::Offers(PeerMethod method) {
  return (method >= PeerMethod::kWriteItems && method <= PeerMethod::kScanManyItems) ||
         (method >= PeerMethod::kWriteRows && method <= PeerMethod::kReadForProgram) ||
         method == PeerMethod::kBuildIndex || method == PeerMethod::kDropIndex ||
         (method >= PeerMethod::kWithinTransaction && method <= PeerMethod::kResolveTransaction);
}

void RemoteService::Serve(NodeId /*caller*/, PeerMethod method, std::string request,
                          Answer answer) {
  CallRef call(
      new Call{.method = method, .request = std::move(request), .answer = std::move(answer)});
  if (!Offers(method))
    return call->Reply(Fail(Code::kUnsupported, "the gateway offers no such method"));
  const auto opened = OpenRequest(call->request);
  if (!opened.has_value()) return call->Reply(Fail(opened.error()));
  if (TransactionCoordinator::Offers(method)) {
    call->body = opened->body;
    const bool commits =
        method == PeerMethod::kPrepareTransaction || method == PeerMethod::kEndTransaction;
    return RunOn(commits ? commits_ : pool_, std::move(call), [this](const Call& each) {
      return gateway_.transactions().Serve(gateway_, each.method, each.body);
    });
  }
  auto container = Find(opened->head.container, opened->head.version);
  if (!container.has_value()) return call->Reply(Fail(std::move(container).error()));
  call->container = *std::move(container);
  call->body = opened->body;
  Start(std::move(call));
}

void RemoteService::Start(CallRef call) {
  if (call->method == PeerMethod::kWithinTransaction) return StartWithin(std::move(call));
  if (call->method == PeerMethod::kDecideTransaction ||
      call->method == PeerMethod::kResolveTransaction)
    return RunOn(commits_, std::move(call), [this](const Call& each) { return StepCommit(each); });
  const bool of_both = call->method >= PeerMethod::kBuildIndex;
  const bool of_rows = call->method >= PeerMethod::kWriteRows;
  if (!of_both && of_rows != call->container->schema->rows.has_value()) {
    return call->Reply(
        Fail(Code::kInvalidArgument, "rows and documents are not in the same containers"));
  }
  switch (call->method) {
    case PeerMethod::kWriteItems:
      return WriteItems(std::move(call));
    case PeerMethod::kRunProgram:
      return RunProgram(std::move(call));
    case PeerMethod::kReadItem:
      return ReadItem(std::move(call));
    case PeerMethod::kScanItems:
    case PeerMethod::kScanManyItems:
      return Scan(std::move(call));
    case PeerMethod::kWriteRows:
    case PeerMethod::kReadForProgram:
      return WriteRows(std::move(call));
    case PeerMethod::kReadRow:
      return ReadRow(std::move(call));
    default:
      return RunOnPool(std::move(call), [this](const Call& each) { return MakePage(each); });
  }
}

template <typename Work>
void RemoteService::RunOn(ThreadPool& pool, CallRef call, Work work) {
  // Shared, because a pool that is full destroys the task it was offered.
  const std::shared_ptr<Call> shared(std::move(call));
  if (!pool.Submit([shared, work = std::move(work)]() mutable { shared->Reply(work(*shared)); }))
    shared->Reply(Fail(Code::kOverloaded, "the partition's owner has too much to read; retry"));
}

void RemoteService::StartWithin(CallRef call) {
  const auto within = DecodeWithin(call->body);
  if (!within.has_value()) return call->Reply(Fail(within.error()));
  call->branch = gateway_.transactions().FindBranch(within->id);
  if (call->branch == nullptr) return call->ReplyWithoutBranch();
  call->method = within->method;
  call->body = within->body;
  const std::shared_ptr<Call> shared(std::move(call));
  const bool is_taken = pool_.Submit([this, shared] {
    Branch& branch = *shared->branch;
    const bool writes =
        shared->method == PeerMethod::kWriteItems || shared->method == PeerMethod::kRunProgram;
    std::unique_lock exclusive(branch.mutex, std::defer_lock);
    std::shared_lock together(branch.mutex, std::defer_lock);
    if (writes) {
      exclusive.lock();
    } else {
      together.lock();
    }
    if (branch.ended) return shared->ReplyWithoutBranch();
    shared->Reply(AnswerWithin(*shared));
  });
  if (!is_taken)
    shared->Reply(Fail(Code::kOverloaded, "the partition's owner has too much to read; retry"));
}

Result<std::string> RemoteService::StepCommit(const Call& call) const {
  TransactionCoordinator& transactions = gateway_.transactions();
  // One that is stopping has done nothing.
  const auto moved = [](const Error& error) {
    const bool elsewhere = error.code() == Code::kMoved || error.code() == Code::kCancelled;
    return Fail(elsewhere ? Error(Code::kMoved, error.message()) : error);
  };
  if (call.method == PeerMethod::kDecideTransaction) {
    ORRERY_ASSIGN(const DecideRequest request, DecodeDecide(call.body));
    const auto outcome = transactions.DecideHere(call.container->id, request);
    if (!outcome.has_value()) return moved(outcome.error());
    return EncodeOutcome(*outcome);
  }
  ORRERY_ASSIGN(const ResolveRequest request, DecodeResolve(call.body));
  const auto places = transactions.ServeResolve(call.container->id, request);
  if (!places.has_value()) return moved(places.error());
  return EncodePlaces(*places);
}

Result<std::string> RemoteService::AnswerWithin(const Call& call) const {
  Gateway& within = call.branch->transaction->gateway();
  // A branch evaluates writes before the call returns.
  std::optional<Result<std::string>> answer;
  switch (call.method) {
    case PeerMethod::kWriteItems: {
      ORRERY_ASSIGN(auto write, DecodeItemWrite(call.body));
      within.WriteHere(call.container, std::move(write.transaction), write.size,
                       [&](const WriteResponse& response) { answer = BodyOf(response); });
      break;
    }
    case PeerMethod::kRunProgram: {
      ORRERY_ASSIGN(ProgramCall request, DecodeProgramCall(call.body));
      ORRERY_ASSIGN(auto program, programs_.Decode(call.container, request.kind, request.data));
      within.RunHere(call.container, std::move(request.key), std::move(program),
                     [&](const WriteResponse& response) {
                       if (IsElsewhere(response.status)) {
                         answer = Elsewhere(response.status);
                       } else {
                         answer = EncodeProgramAnswer(response);
                       }
                     });
      break;
    }
    case PeerMethod::kReadItem: {
      ORRERY_ASSIGN(const auto read, DecodeItemRead(call.body));
      return BodyOf(within.ReadHere(*call.container, read.key, storage::ReadMode::kMayBlock, {}));
    }
    case PeerMethod::kScanItems: {
      ORRERY_ASSIGN(const ScanPiece piece, DecodeScanPiece(call.body));
      ORRERY_ASSIGN(const ScanPieceAnswer page,
                    within.ScanHere(*call.container, piece, storage::ReadMode::kMayBlock));
      return EncodeScanAnswer(page);
    }
    case PeerMethod::kFindHolder: {
      ORRERY_ASSIGN(const HolderQuestion question, DecodeHolderQuestion(call.body));
      ORRERY_ASSIGN(const auto holder,
                    within.HolderOfHere(*call.container, question.hash, question.claim));
      return EncodeHolder(holder);
    }
    default:
      return Fail(Code::kUnsupported, "the method is not one of transactions");
  }
  ORRERY_CHECK(answer.has_value());
  return *std::move(answer);
}

void RemoteService::WriteItems(CallRef call) {
  auto write = DecodeItemWrite(call->body);
  if (!write.has_value()) return call->Reply(Fail(std::move(write).error()));
  ContainerRef container = call->container;
  gateway_.WriteHere(
      std::move(container), std::move(write->transaction), write->size,
      [call = std::move(call)](const WriteResponse& response) { call->Reply(BodyOf(response)); });
}

void RemoteService::RunProgram(CallRef call) {
  auto request = DecodeProgramCall(call->body);
  if (!request.has_value()) return call->Reply(Fail(std::move(request).error()));
  auto program = programs_.Decode(call->container, request->kind, request->data);
  if (!program.has_value()) return call->Reply(Fail(std::move(program).error()));
  ContainerRef container = call->container;
  gateway_.RunHere(std::move(container), std::move(request->key), *std::move(program),
                   [call = std::move(call)](const WriteResponse& response) {
                     if (IsElsewhere(response.status))
                       return call->Reply(Elsewhere(response.status));
                     call->Reply(EncodeProgramAnswer(response));
                   });
}

void RemoteService::ReadItem(CallRef call) {
  auto read = DecodeItemRead(call->body);
  if (!read.has_value()) return call->Reply(Fail(std::move(read).error()));
  const ReadResponse cached =
      gateway_.ReadHere(*call->container, read->key, storage::ReadMode::kCachedOnly, read->session);
  if (cached.status.has_value() || !WouldBlock(cached.status.error()))
    return call->Reply(BodyOf(cached));
  RunOnPool(std::move(call), [this, read = *std::move(read)](const Call& each) {
    return BodyOf(
        gateway_.ReadHere(*each.container, read.key, storage::ReadMode::kMayBlock, read.session));
  });
}

void RemoteService::Scan(CallRef call) {
  const bool is_one = call->method == PeerMethod::kScanItems;
  auto pieces = is_one ? DecodeOne(call->body) : DecodeScanGroup(call->body);
  if (!pieces.has_value()) return call->Reply(Fail(std::move(pieces).error()));
  std::vector<Result<ScanPieceAnswer>> pages(pieces->size());
  std::vector<size_t> left;  // that must read the disk, or are too much work for an event loop
  size_t items = 0;
  for (size_t i = 0; i < pieces->size(); ++i) {
    const ScanPiece& piece = (*pieces)[i];
    items += piece.spec.limits.items_max;
    if (items > kItemsAtOnceMax || !IsReadAtOnce(piece.spec)) {
      left.push_back(i);
      continue;
    }
    pages[i] = gateway_.ScanHere(*call->container, piece, storage::ReadMode::kCachedOnly);
    if (!pages[i].has_value() && WouldBlock(pages[i].error())) left.push_back(i);
  }
  if (left.empty()) return call->Reply(BodyOf(is_one, pages));
  RunOnPool(std::move(call), [this, is_one, pieces = *std::move(pieces), pages = std::move(pages),
                              left = std::move(left)](const Call& each) mutable {
    FanOut(gateway_.io_pool(), left.size(), kPiecesAtOnce, [&](size_t i) {
      pages[left[i]] =
          gateway_.ScanHere(*each.container, pieces[left[i]], storage::ReadMode::kMayBlock);
    });
    return BodyOf(is_one, pages);
  });
}

void RemoteService::WriteRows(CallRef call) {
  auto write = DecodeRowWrite(call->body);
  if (!write.has_value()) return call->Reply(Fail(std::move(write).error()));
  const bool only_looks = call->method == PeerMethod::kReadForProgram;
  if (only_looks != (write->guard.has_value() && write->guard->step != Guard::Step::kCommit)) {
    return call->Reply(
        Fail(Code::kInvalidArgument, "a look is no write, and a write more than a look"));
  }
  ContainerRef container = call->container;
  if (write->debt != WriteDebt::kNone) {
    item::DerivedWrite derived_write{container->id, std::move(write->partition_key),
                                     std::move(write->changes),
                                     write->debt == WriteDebt::kMaintainsViews};
    return rows_.outbox().DeliverHere(std::move(derived_write),
                                      [call = std::move(call)](Status status, RequestUnits charge) {
                                        RowWriteResponse response;
                                        response.status = std::move(status);
                                        response.charge = charge;
                                        call->Reply(BodyOf(std::move(response)));
                                      });
  }
  RowWriteRequest request{.container = std::move(container),
                          .partition_key = std::move(write->partition_key),
                          .changes = std::move(write->changes),
                          .program = nullptr};
  if (write->guard.has_value())
    request.program = std::make_unique<GuardedChanges>(*std::move(write->guard));
  rows_.WriteHere(std::move(request), [call = std::move(call)](RowWriteResponse response) {
    call->Reply(BodyOf(std::move(response)));
  });
}

void RemoteService::ReadRow(CallRef call) {
  auto read = DecodeRowRead(call->body);
  if (!read.has_value()) return call->Reply(Fail(std::move(read).error()));
  const auto cached = rows_.ReadHere(*call->container, read->partition_key, read->clustering,
                                     read->want_static_row, storage::ReadMode::kCachedOnly);
  if (cached.has_value()) return call->Reply(EncodeRowReadResponse(*cached));
  if (!WouldBlock(cached.error())) return call->Reply(Fail(cached.error()));
  RunOnPool(std::move(call),
            [this, read = *std::move(read)](const Call& each) -> Result<std::string> {
              ORRERY_ASSIGN(const RowReadResponse response,
                            rows_.ReadHere(*each.container, read.partition_key, read.clustering,
                                           read.want_static_row, storage::ReadMode::kMayBlock));
              return EncodeRowReadResponse(response);
            });
}

Result<std::string> RemoteService::MakePage(const Call& call) const {
  const ContainerEntry& container = *call.container;
  switch (call.method) {
    case PeerMethod::kReadFeed: {
      ORRERY_ASSIGN(const FeedPiece piece, DecodeFeedPiece(call.body));
      ORRERY_ASSIGN(const FeedPieceAnswer page, gateway_.ReadFeedHere(container, piece));
      return EncodeFeedAnswer(page);
    }
    case PeerMethod::kFindHolder: {
      ORRERY_ASSIGN(const HolderQuestion question, DecodeHolderQuestion(call.body));
      ORRERY_ASSIGN(const auto holder,
                    gateway_.HolderOfHere(container, question.hash, question.claim));
      return EncodeHolder(holder);
    }
    case PeerMethod::kScanRows: {
      ORRERY_ASSIGN(const RowScanPiece piece, DecodeRowScanPiece(call.body));
      ORRERY_ASSIGN(const RowPieceAnswer page, rows_.ScanHere(container, piece));
      return EncodeRowScanAnswer(page);
    }
    case PeerMethod::kReadRowFeed: {
      ORRERY_ASSIGN(const RowFeedPiece piece, DecodeRowFeedPiece(call.body));
      ORRERY_ASSIGN(const RowFeedPieceAnswer page, rows_.ReadFeedHere(container, piece));
      return EncodeRowFeedAnswer(page);
    }
    case PeerMethod::kBuildIndex:
      return BuildIndex(call);
    case PeerMethod::kDropIndex:
      return DropIndex(call);
    default: {
      ORRERY_ASSIGN(const auto estimates, rows_.EstimateHere(container));
      return EncodeEstimates(estimates);
    }
  }
}

Result<std::string> RemoteService::BuildIndex(const Call& call) const {
  ORRERY_ASSIGN(IndexPiece piece, DecodeIndexPiece(call.body));
  // A sweep of expired items may have begun under older settings.
  if (!piece.inner.has_value()) gateway_.node().WaitForBackground();
  const auto topology = gateway_.node().topology();
  ORRERY_ASSIGN(const RingPiece here,
                LayOutHere(*topology, call.container->id, piece.range, std::move(piece.inner)));
  ORRERY_ASSIGN(const IndexBatch batch,
                BuildIndexBatch(*call.container, RowIndexesOf(*call.container, piece.rows), here));
  return EncodeIndexBatch(batch);
}

Result<std::string> RemoteService::DropIndex(const Call& call) const {
  ORRERY_ASSIGN(const IndexDrop drop, DecodeIndexDrop(call.body));
  const auto topology = gateway_.node().topology();
  ORRERY_ASSIGN(const RingPiece here,
                LayOutHere(*topology, call.container->id, drop.range, std::nullopt));
  ORRERY_TRY(gateway::DropIndex(*here.partition, call.container->id, drop.index));
  return std::string();
}

}  // namespace orrery::gateway
