// The write path of the Gateway: from a request to a transaction, and from its outcome to the
// answer. gateway/write has what lies between.
#include <fmt/format.h>

#include <algorithm>
#include <future>
#include <memory>
#include <utility>

#include "base/has_code.h"
#include "gateway/gateway.h"
#include "gateway/move/move_pause.h"
#include "gateway/position/session_token.h"
#include "gateway/program/program_run.h"
#include "gateway/remote/remote_gateway.h"
#include "gateway/snapshot/snapshot_transaction.h"
#include "gateway/write/transaction_maker.h"
#include "item/price_list.h"

namespace orrery::gateway {
namespace {

using item::OperationKind;

// Estimates the charge before the work is known, for the governor; the difference is settled
// afterwards.
RequestUnits Estimate(const item::TransactionRequest& transaction) {
  RequestUnits estimate;
  if (transaction.program != nullptr) {
    for (size_t i = 0; i < transaction.program->reads().size(); ++i)
      estimate += item::PriceOfPointRead(0);
  }
  for (const item::Operation& operation : transaction.operations) {
    if (operation.kind == OperationKind::kCheck) continue;
    if (operation.document.has_value()) {
      estimate += item::PriceOfWrite(
          {.bytes_before = std::nullopt, .bytes_after = operation.document->bson().size()});
    } else {
      estimate += item::PriceOfPointRead(0);
    }
  }
  return estimate;
}

constexpr const char* kTooManyWait =
    "the container takes no writes for a moment, and too many wait already; retry";

// Calls `resume` when the pause of the container (move/move_pause.h) is over. False: too many wait,
// or there is no pause.
bool WaitForPause(partition::Reservations& reservations, ContainerId id,
                  partition::Reservations::Resume resume) {
  const partition::Reservations::Holder holder = reservations.HolderOf(MovePauseKey(id));
  if (holder == 0) return false;
  switch (reservations.WaitFor(holder, resume)) {
    case partition::Reservations::Wait::kWaits:
      return true;
    case partition::Reservations::Wait::kGone:
      resume();
      return true;
    case partition::Reservations::Wait::kFull:
      break;
  }
  return false;
}

// Returns whether nobody holds the container's writers up any more who did a moment ago.
bool IsPauseOver(const partition::Reservations& reservations, ContainerId id) {
  return reservations.HolderOf(MovePauseKey(id)) == 0;
}

// A SecondTry bounds how often a write tries again at once, on this thread: once.
class SecondTry {
 public:
  SecondTry() : is_allowed_(!under_way_) { under_way_ = true; }
  ~SecondTry() {
    if (is_allowed_) under_way_ = false;
  }
  SecondTry(const SecondTry&) = delete;
  SecondTry& operator=(const SecondTry&) = delete;

  bool is_allowed() const { return is_allowed_; }

 private:
  static inline thread_local bool under_way_ = false;

  const bool is_allowed_;
};

WriteResponse Refused(Error why) {
  WriteResponse response;
  response.status = Fail(std::move(why));
  return response;
}

WriteResponse ResponseTo(item::Transaction& transaction, Status status, PartitionId partition) {
  item::TransactionResult& result = transaction.result();
  WriteResponse response;
  response.charge = result.charge;
  if (status.has_value()) {
    AppendSessionPosition(response.session, {partition, result.lsn});
    response.results = std::move(result.results);
    response.outcome = std::move(result.outcome);
  } else if (status.error().code() == Code::kAlreadyExists) {
    response.outcome = std::move(result.outcome);
  }
  response.failed_operation = result.failed_operation;
  response.status = std::move(status);
  return response;
}

}  // namespace

Result<item::TransactionRequest> Gateway::MakeTransaction(WriteRequest& request,
                                                          const ContainerEntry& container) const {
  if (request.operations.empty())
    return Fail(Code::kInvalidArgument, "the request has no operations");
  TransactionMaker maker(*container.schema, parts_.limits, request.size);
  if (request.partition_key.has_value()) ORRERY_TRY(maker.SetKey(*request.partition_key));
  item::TransactionRequest transaction;
  transaction.schema = container.schema;
  ORRERY_ASSIGN(transaction.operations, maker.MakeAll(request.operations));
  ORRERY_ASSIGN(RoutedKey key, std::move(maker).TakeKey());
  transaction.hash = key.hash;
  transaction.partition_key = std::move(key.encoded);
  return transaction;
}

Result<item::TransactionRequest> Gateway::MakeTransaction(
    std::shared_ptr<const DocumentProgram> program, const ContainerEntry& container,
    RoutedKey key) const {
  item::TransactionRequest transaction;
  transaction.schema = container.schema;
  transaction.hash = key.hash;
  transaction.partition_key = key.encoded;
  ORRERY_ASSIGN(transaction.program, ProgramRun::Make(std::move(program), container.schema,
                                                      std::move(key), parts_.limits));
  return transaction;
}

Result<RoutedWrite> Gateway::Admit(WriteRequest& request,
                                   item::TransactionRequest& transaction) const {
  ORRERY_ASSIGN(WriteAdmission admission, router_.Enter(request.container));
  ORRERY_ASSIGN(transaction, MakeTransaction(request, admission.container()));
  return Admit(std::move(admission), transaction, request.size);
}

Result<RoutedWrite> Gateway::Admit(const ProgramRequest& request,
                                   item::TransactionRequest& transaction) const {
  ORRERY_ASSIGN(WriteAdmission admission, router_.Enter(request.container));
  ORRERY_ASSIGN(RoutedKey key, RoutePartitionKey(admission.container(), request.partition_key));
  ORRERY_ASSIGN(transaction,
                MakeTransaction(request.program, admission.container(), std::move(key)));
  return Admit(std::move(admission), transaction, WriteSize::kBatch);
}

Result<RoutedWrite> Gateway::Admit(WriteAdmission admission,
                                   const item::TransactionRequest& transaction,
                                   WriteSize size) const {
  std::optional<RequestUnits> estimate;
  if (size == WriteSize::kBatch) estimate = Estimate(transaction);
  return router_.Admit(std::move(admission), transaction.hash, estimate);
}

void Gateway::Write(WriteRequest request, WriteDone done) {
  item::TransactionRequest transaction;
  Result<RoutedWrite> routed = Admit(request, transaction);
  if (HasCode(routed, Code::kWouldBlock)) {
    const ContainerId paused = request.container->id;
    if (SecondTry second; second.is_allowed() && IsPauseOver(parts_.reservations, paused))
      return Write(std::move(request), std::move(done));
    const auto again =
        std::make_shared<std::pair<WriteRequest, WriteDone>>(std::move(request), std::move(done));
    if (WaitForPause(parts_.reservations, paused,
                     [this, again] { Write(std::move(again->first), std::move(again->second)); }))
      return;
    return again->second(Refused(Error(Code::kOverloaded, kTooManyWait)));
  }
  Send(std::move(routed), std::move(transaction), request.size, std::move(done));
}

void Gateway::Run(const ProgramRequest& request, WriteDone done) {
  item::TransactionRequest transaction;
  Result<RoutedWrite> routed = Admit(request, transaction);
  if (HasCode(routed, Code::kWouldBlock)) {
    if (SecondTry second;
        second.is_allowed() && IsPauseOver(parts_.reservations, request.container->id))
      return Run(request, std::move(done));
    const auto again =
        std::make_shared<std::pair<ProgramRequest, WriteDone>>(request, std::move(done));
    if (WaitForPause(parts_.reservations, request.container->id,
                     [this, again] { Run(again->first, std::move(again->second)); }))
      return;
    return again->second(Refused(Error(Code::kOverloaded, kTooManyWait)));
  }
  Send(std::move(routed), std::move(transaction), WriteSize::kBatch, std::move(done));
}

void Gateway::RingAfter(const Dispatcher::Completion& completion) const {
  const item::ContainerSchema& schema = *completion.transaction->request().schema;
  if (completion.status.has_value() && schema.feed_retention > Micros(0))
    parts_.catalog.bell().Ring(schema.id);
}

void Gateway::Send(Result<RoutedWrite> routed, item::TransactionRequest transaction, WriteSize size,
                   WriteDone done) {
  writes_.Add();
  if (!routed.has_value()) {
    if (HasCode(routed, Code::kMoved) && within_ != nullptr && parts_.remote == nullptr)
      return done(Refused(within_->Elsewhere().error()));
    if (HasCode(routed, Code::kMoved)) return Forward(transaction, size, std::move(done));
    return done(Refused(std::move(routed).error()));
  }
  if (within_ != nullptr)
    return SendWithin(*std::move(routed), std::move(transaction), std::move(done));
  dispatcher_.Send(*std::move(routed), std::move(transaction),
                   [this, size, done = std::move(done)](Dispatcher::Completion completion) mutable {
                     if (HasCode(completion.status, Code::kMoved))
                       return Forward(completion.transaction->request(), size, std::move(done));
                     RingAfter(completion);
                     done(ResponseTo(*completion.transaction, std::move(completion.status),
                                     completion.partition));
                   });
}

void Gateway::SendWithin(RoutedWrite routed, item::TransactionRequest transaction, WriteDone done) {
  WriteResponse response;
  const PartitionId partition = routed.partition->id();
  auto mutation = std::make_unique<item::Transaction>(
      std::move(transaction),
      [&response, partition](const std::unique_ptr<item::Transaction>& self, Status status) {
        response = ResponseTo(*self, std::move(status), partition);
      });
  Status evaluated = within_->Evaluate(*routed.partition, routed.admission.container(), *mutation);
  if (evaluated.has_value()) evaluated = routed.partition->CheckLease();
  router_.End(routed, mutation->request().partition_key, mutation->charge());
  Result<Lsn> outcome = Lsn();
  if (!evaluated.has_value()) outcome = Fail(std::move(evaluated).error());
  item::Transaction& target = *mutation;
  target.Complete(std::move(mutation), std::move(outcome));
  // Nothing was stored that a session could have to see.
  response.session.clear();
  done(std::move(response));
}

void Gateway::WriteHere(ContainerRef container, item::TransactionRequest transaction,
                        WriteSize size, WriteDone done) {
  Result<WriteAdmission> admission = router_.Enter(std::move(container));
  if (!admission.has_value()) return done(Refused(std::move(admission).error()));
  transaction.schema = admission->container().schema;
  SendHere(*std::move(admission), std::move(transaction), size, std::move(done));
}

void Gateway::RunHere(ContainerRef container, RoutedKey key,
                      std::shared_ptr<const DocumentProgram> program, WriteDone done) {
  Result<WriteAdmission> admission = router_.Enter(std::move(container));
  if (!admission.has_value()) return done(Refused(std::move(admission).error()));
  auto transaction = MakeTransaction(std::move(program), admission->container(), std::move(key));
  if (!transaction.has_value()) return done(Refused(std::move(transaction).error()));
  SendHere(*std::move(admission), *std::move(transaction), WriteSize::kBatch, std::move(done));
}

void Gateway::SendHere(WriteAdmission admission, item::TransactionRequest transaction,
                       WriteSize size, WriteDone done) {
  Result<RoutedWrite> routed = Admit(std::move(admission), transaction, size);
  if (!routed.has_value()) return done(Refused(std::move(routed).error()));
  if (within_ != nullptr)
    return SendWithin(*std::move(routed), std::move(transaction), std::move(done));
  dispatcher_.Send(*std::move(routed), std::move(transaction),
                   [this, done = std::move(done)](Dispatcher::Completion completion) mutable {
                     RingAfter(completion);
                     done(ResponseTo(*completion.transaction, std::move(completion.status),
                                     completion.partition));
                   });
}

void Gateway::Forward(const item::TransactionRequest& transaction, WriteSize size,
                      WriteDone done) const {
  const auto snapshot = parts_.catalog.snapshot();
  const ContainerRef* container = snapshot->by_id.Find(transaction.schema->id);
  if (container == nullptr)
    return done(Refused(Error(Code::kNotFound, "the container was dropped meanwhile")));
  if (parts_.remote == nullptr)
    return done(Refused(Error(Code::kUnavailable, "another node has the partition; retry")));
  if (transaction.program == nullptr)
    return parts_.remote->Write(*container, transaction, size, std::move(done));
  // Every transaction with a program was made by MakeTransaction.
  const auto& run = static_cast<const ProgramRun&>(*transaction.program);
  parts_.remote->Run(*container, {transaction.hash, transaction.partition_key}, run.program(),
                     std::move(done));
}

WriteResponse Gateway::RunAndWait(const ProgramRequest& request) {
  std::promise<WriteResponse> promise;
  std::future<WriteResponse> response = promise.get_future();
  Run(request, [&promise](WriteResponse result) { promise.set_value(std::move(result)); });
  return response.get();
}

WriteResponse Gateway::WriteAndWait(WriteRequest request) {
  std::promise<WriteResponse> promise;
  std::future<WriteResponse> response = promise.get_future();
  Write(std::move(request),
        [&promise](WriteResponse result) { promise.set_value(std::move(result)); });
  return response.get();
}

}  // namespace orrery::gateway
