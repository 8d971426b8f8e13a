#include "api/mongo/command/transaction/mongo_transaction.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "api/mongo/command/command_context.h"
#include "api/mongo/error/error_map.h"
#include "base/bytes.h"
#include "gateway/snapshot/transaction_coordinator.h"

namespace orrery::mongo {
namespace {

using gateway::SnapshotTransaction;

constexpr std::string_view kTransientLabel = "TransientTransactionError";
constexpr std::string_view kConflictText =
    "WriteConflict error: this operation conflicted with another operation. Please retry your "
    "operation or multi-document transaction.";

MongoServices Within(const MongoServices& services, gateway::Gateway& gateway) {
  return {.gateway = gateway,
          .clock = services.clock,
          .collections = services.collections,
          .users = services.users,
          .roles = services.roles,
          .cursors = services.cursors,
          .sessions = services.sessions,
          .operations = services.operations,
          .counters = services.counters,
          .random = services.random,
          .random_bytes = services.random_bytes,
          .options = services.options,
          .started = services.started,
          .process_id = services.process_id,
          .waits = services.waits,
          .scripts = services.scripts,
          .spill = services.spill};
}

}  // namespace

MongoTransaction::~MongoTransaction() {
  if (core_ != nullptr) core_->Abort();
}

bool MongoTransaction::Post(Work work) {
  {
    MutexLock lock(mutex_);
    if (waiting_.size() >= kWaitingMax) return false;
    waiting_.push_back(std::move(work));
    if (runs_) return true;
    runs_ = true;
  }
  if (base_.gateway.io_pool().Submit([self = shared_from_this()] { self->RunPosted(); }))
    return true;
  // Whatever came meanwhile is dropped with it, and so answered.
  std::deque<Work> dropped;
  MutexLock lock(mutex_);
  runs_ = false;
  dropped.swap(waiting_);
  return false;
}

void MongoTransaction::RunPosted() {
  while (true) {
    Work work;
    {
      MutexLock lock(mutex_);
      if (waiting_.empty()) {
        runs_ = false;
        return;
      }
      work = std::move(waiting_.front());
      waiting_.pop_front();
    }
    work();
  }
}

std::string MongoTransaction::CursorTagOf(int64_t number) {
  return fmt::format("txn {}\n", number);
}

Outcome MongoTransaction::CheckInProgress() const {
  switch (state()) {
    case State::kInProgress:
      return {};
    case State::kCommitted:
    case State::kUnknown:
      return Refuse(
          ErrorCode::kTransactionCommitted,
          fmt::format("Transaction with {{ txnNumber: {} }} has been committed.", number_));
    case State::kAborted:
      break;
  }
  return std::unexpected(TransactionWasAborted(number_));
}

Outcome MongoTransaction::Begin() {
  if (core_ != nullptr) return {};
  auto begun = base_.gateway.BeginTransaction();
  if (!begun.has_value()) {
    state_ = State::kAborted;
    return Refuse(ErrorCode::kSnapshotUnavailable, begun.error().message());
  }
  core_ = *std::move(begun);
  services_.emplace(Within(base_, core_->gateway()));
  return {};
}

std::optional<MongoError> MongoTransaction::Failure() const {
  const auto error = [](ErrorCode code, std::string text) {
    return MongoError{static_cast<int32_t>(code), std::move(text)};
  };
  switch (core_ == nullptr ? SnapshotTransaction::Failure::kNone : core_->failure()) {
    case SnapshotTransaction::Failure::kNone:
      return std::nullopt;
    case SnapshotTransaction::Failure::kConflict:
      return error(ErrorCode::kWriteConflict, std::string(kConflictText));
    case SnapshotTransaction::Failure::kUnavailable:
      return error(ErrorCode::kSnapshotUnavailable,
                   "Unable to read from a snapshot due to pending collection catalog changes or a "
                   "moved partition; please retry the operation.");
    case SnapshotTransaction::Failure::kTooLarge:
      return error(ErrorCode::kTransactionTooLarge,
                   fmt::format("The transaction has written more than {} bytes, or 10000 documents "
                               "of one shard key: split it up",
                               SnapshotTransaction::kBytesMax));
    case SnapshotTransaction::Failure::kElsewhere:
      return error(ErrorCode::kOperationNotSupportedInTransaction,
                   "This transaction needs a partition that no node of its has open");
  }
  return std::nullopt;
}

void MongoTransaction::End(State state) {
  state_ = state;
  if (!has_cursors_) return;
  // They read through the core.
  const std::string tag = "\n" + CursorTag() + session_;
  base_.cursors.KillIf([&](std::string_view owner) { return owner.ends_with(tag); });
}

void MongoTransaction::Abort() {
  if (state() != State::kInProgress) return;
  End(State::kAborted);
  if (core_ != nullptr) core_->Abort();
}

Outcome MongoTransaction::Commit() {
  if (state() == State::kCommitted) return {};
  if (state() == State::kUnknown) return Settle();
  MONGO_TRY(CheckInProgress());
  if (core_ == nullptr) {
    End(State::kCommitted);
    return {};
  }
  // Nothing reads in it any more.
  End(State::kUnknown);
  const CommitReceipt receipt = ReceiptOf(session_, number_);
  const Status committed = core_->Commit(receipt.name, receipt.bytes);
  if (committed.has_value()) {
    state_ = State::kCommitted;
    return {};
  }
  if (auto failure = Failure()) {
    state_ = State::kAborted;
    return std::unexpected(*std::move(failure));
  }
  if (committed.error().code() == Code::kUnavailable) return Refuse(committed.error());
  state_ = State::kAborted;
  return Refuse(committed.error());
}

Outcome MongoTransaction::Settle() {
  const CommitReceipt receipt = ReceiptOf(session_, number_);
  // Before the look: what is settled later may have a receipt then.
  const bool is_settled = core_->is_settled();
  const auto found = base_.gateway.transactions().HasReceipt(receipt.name, receipt.bytes);
  if (!found.has_value()) return Refuse(found.error());
  if (*found) {
    state_ = State::kCommitted;
    return {};
  }
  if (!is_settled) {
    return Refuse(ErrorCode::kHostUnreachable,
                  "it is not known yet whether the transaction is committed; commit it again");
  }
  state_ = State::kAborted;
  return std::unexpected(TransactionWasAborted(number_));
}

CommandContext::CommandContext(const CommandContext& outer,
                               std::shared_ptr<MongoTransaction> within)
    : services(within->services()),
      client(outer.client),
      command(outer.command),
      request(outer.request),
      session(outer.session),
      transaction_call(outer.transaction_call),
      transaction(within),
      reads_in(std::move(within)) {}

CommitReceipt ReceiptOf(std::string_view session, int64_t number) {
  CommitReceipt receipt{.name = "txn", .bytes = {}};
  receipt.name += session;
  AppendBigEndian(receipt.bytes, static_cast<uint64_t>(number));
  return receipt;
}

MongoError TransactionWasAborted(int64_t number) {
  MongoError error{static_cast<int32_t>(ErrorCode::kNoSuchTransaction),
                   fmt::format("Transaction with {{ txnNumber: {} }} has been aborted.", number)};
  AddTransientLabel(error);
  return error;
}

void AddTransientLabel(MongoError& error) {
  switch (static_cast<ErrorCode>(error.code)) {
    case ErrorCode::kWriteConflict:
    case ErrorCode::kSnapshotUnavailable:
    case ErrorCode::kNoSuchTransaction:
    case ErrorCode::kHostUnreachable:
    case ErrorCode::kHostNotFound:
    case ErrorCode::kNetworkTimeout:
    case ErrorCode::kShutdownInProgress:
    case ErrorCode::kPrimarySteppedDown:
    case ErrorCode::kNotWritablePrimary:
    case ErrorCode::kInterruptedAtShutdown:
    case ErrorCode::kInterruptedDueToReplStateChange:
    case ErrorCode::kTooManyRequests:
      break;
    default:
      return;
  }
  if (std::ranges::find(error.labels, kTransientLabel) == error.labels.end())
    error.labels.emplace_back(kTransientLabel);
}

}  // namespace orrery::mongo
