#include "api/sql/handler/document/batch_handler.h"

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "api/sql/handler/document/batch_body.h"
#include "api/sql/handler/document/batch_conditions.h"
#include "api/sql/handler/document/conditional_patch.h"
#include "api/sql/handler/document/patch_condition.h"
#include "api/sql/handler/finder.h"
#include "api/sql/range/request_range.h"
#include "base/mutex.h"
#include "gateway/position/session_token.h"

namespace orrery::sql {
namespace {

constexpr int kMultiStatus = 207;
constexpr int kFailedDependency = 424;
constexpr size_t kBatchBytesMax = size_t{2} << 20;
// Clients look for it, line end included.
constexpr std::string_view kTooLarge =
    "Message: {\"Errors\":[\"Request size is too large\"]}\r\nA batch has 2 MB at most.";

// A batch on its way: what answers it, and what it needs for that.
struct Batch {
  Call call;
  gateway::ContainerRef container;
  std::vector<item::ItemKey> keys;  // of the operations, in their order
  std::vector<bool> minimal{};      // of each, whether its document is left out of the answer
  std::vector<size_t> results{};    // of an atomic one: which of what was written answers each
};

// A document that was given another id is still the one that was there.
item::OperationResult AsReplaced(item::OperationResult result) {
  result.done = item::OperationKind::kReplace;
  return result;
}

Failure FailedDependency() { return {.status = kFailedDependency}; }

// In the form that the batch came in.
BatchAnswer AnswerTo(const Batch& batch) { return BatchAnswer(FormOf(batch.call.request.body)); }

std::vector<bool> MinimalOf(const std::vector<model::Value>& operations, bool all) {
  std::vector<bool> minimal;
  for (const model::Value& operation : operations) {
    const model::Value* own = operation.Find("minimalReturnPreference");
    minimal.push_back(all ||
                      (own != nullptr && own->kind() == model::Kind::kBool && own->AsBool()));
  }
  return minimal;
}

Reply BatchReply(const gateway::ContainerEntry& container, int status, BatchAnswer answer,
                 RequestUnits charge, std::string session) {
  const bool rows = answer.form() == BatchForm::kRows;
  Reply reply{.status = status,
              .body = std::move(answer).Finish(),
              .charge = charge,
              .session = std::move(session)};
  if (rows) reply.headers.Add("Content-Type", "application/octet-stream");
  AddOwner(reply, container);
  return reply;
}

SqlResult<Reply> AtomicReply(const Batch& batch, const gateway::WriteResponse& response) {
  BatchAnswer answer = AnswerTo(batch);
  const ContainerNames names(*batch.container);
  if (response.status.has_value()) {
    for (size_t i = 0, next = 0; i < batch.keys.size(); ++i) {
      const size_t at = batch.results[i];
      const item::OperationResult& result = response.results[at];
      answer.Add(names, batch.keys[i], at == next ? result : AsReplaced(result), batch.minimal[i]);
      next = at + 1;
    }
    return BatchReply(*batch.container, 200, std::move(answer), response.charge, response.session);
  }
  // No operation's fault: the client may send all of it again.
  if (!response.failed_operation.has_value()) return Fail(response.status.error());
  const Failure why = FailureOf(response.status.error());
  const auto failed = static_cast<size_t>(
      std::ranges::lower_bound(batch.results, *response.failed_operation) - batch.results.begin());
  for (size_t i = 0; i < batch.keys.size(); ++i)
    answer.Add(i == failed ? why : FailedDependency(),
               i == failed ? response.charge : RequestUnits());
  return BatchReply(*batch.container, kMultiStatus, std::move(answer), response.charge, "");
}

// Gathers the answers of a bulk request's operations, from any thread; the last one sends.
class Gatherer {
 public:
  explicit Gatherer(Batch batch) : batch_(std::move(batch)), left_(batch_.keys.size()) {
    outcomes_.resize(left_);
  }

  const Batch& batch() const { return batch_; }

  struct Outcome {
    std::optional<item::OperationResult> result;
    Failure failure;
    RequestUnits charge;
    std::string session;

    static Outcome Failed(Failure why) {
      return {.result = std::nullopt, .failure = std::move(why), .charge = {}, .session = {}};
    }
    static Outcome Of(gateway::WriteResponse response) {
      Outcome outcome{.result = std::nullopt,
                      .failure = {},
                      .charge = response.charge,
                      .session = std::move(response.session)};
      if (!response.status.has_value()) {
        outcome.failure = FailureOf(response.status.error());
        return outcome;
      }
      const bool is_renamed = response.results.size() > 1;
      outcome.result = std::move(response.results.back());
      if (is_renamed) outcome.result = AsReplaced(*std::move(outcome.result));
      return outcome;
    }
  };

  void Put(size_t index, Outcome outcome) EXCLUDES(mutex_) {
    {
      const MutexLock lock(mutex_);
      outcomes_[index] = std::move(outcome);
      if (--left_ > 0) return;
    }
    Send();
  }

 private:
  // Only the last Put comes here, when nobody else touches anything any more.
  void Send() NO_THREAD_SAFETY_ANALYSIS {
    BatchAnswer answer = AnswerTo(batch_);
    const ContainerNames names(*batch_.container);
    RequestUnits charge;
    std::map<PartitionId, Lsn> seen;
    bool all_well = true;
    for (size_t i = 0; i < outcomes_.size(); ++i) {
      const Outcome& outcome = outcomes_[i];
      charge += outcome.charge;
      AddPositions(seen, outcome.session);
      if (outcome.result.has_value()) {
        answer.Add(names, batch_.keys[i], *outcome.result, batch_.minimal[i]);
      } else {
        all_well = false;
        answer.Add(outcome.failure, outcome.charge);
      }
    }
    Answer(batch_.call, BatchReply(*batch_.container, all_well ? 200 : kMultiStatus,
                                   std::move(answer), charge, SessionOf(seen)));
  }

  // Operations may have gone to several partitions: the highest position of each counts.
  static void AddPositions(std::map<PartitionId, Lsn>& seen, std::string_view session) {
    const auto positions = gateway::ParseSessionToken(session);
    if (!positions.has_value()) return;
    for (const gateway::SessionPosition& position : *positions)
      seen[position.partition] = std::max(seen[position.partition], position.lsn);
  }
  static std::string SessionOf(const std::map<PartitionId, Lsn>& seen) {
    std::string session;
    for (const auto& [partition, lsn] : seen)
      gateway::AppendSessionPosition(session, {partition, lsn});
    return session;
  }

  Batch batch_;
  Mutex mutex_;
  size_t left_ GUARDED_BY(mutex_);
  std::vector<Outcome> outcomes_ GUARDED_BY(mutex_);
};

class Batches {
 public:
  explicit Batches(const HandlerParts& parts) : parts_(parts) {}

  void Run(Call call) const {
    auto found = Finder(parts_.gateway.catalog()).Container(call.path, call.headers);
    if (!found.has_value()) return Answer(call, std::unexpected(std::move(found).error()));
    if (call.request.body.size() > kBatchBytesMax)
      return Answer(call, Refuse(413, std::string(kTooLarge)));
    auto operations = BatchOperations(call.request.body);
    if (!operations.has_value())
      return Answer(call, std::unexpected(std::move(operations).error()));
    if (call.headers.batch_atomic)
      return RunAtomic(std::move(call), std::move(found->container), *operations);
    RunBulk(std::move(call), std::move(found->container), *operations);
  }

 private:
  using Operations = std::vector<model::Value>;

  void RunAtomic(Call call, gateway::ContainerRef container, const Operations& operations) const {
    auto key = KeyOfRequest(*container, call.headers);
    if (!key.has_value()) return Answer(call, std::unexpected(std::move(key).error()));
    gateway::WriteRequest request;
    request.container = container;
    request.partition_key = *key;
    std::vector<BatchOperation> read;
    for (const model::Value& operation : operations) {
      auto one = ReadOperation(*key, operation);
      if (!one.has_value()) return Answer(call, std::unexpected(std::move(one).error()));
      read.push_back(*std::move(one));
    }
    std::vector<PreparedWrite> writes;
    bool conditional = false;
    Batch batch{std::move(call), std::move(container), {}};
    batch.minimal = MinimalOf(operations, batch.call.headers.minimal);
    for (BatchOperation& operation : read) {
      auto write = PrepareOperation(parts_, *batch.container, std::move(operation));
      if (!write.has_value())
        return Answer(batch.call, FailedReply(batch, read.size(), writes.size(), write.error()));
      batch.keys.push_back(write->target.key);
      conditional = conditional || !write->condition.empty();
      writes.push_back(*std::move(write));
    }
    if (!conditional) return Send(std::move(batch), std::move(request), std::move(writes));
    SendIf(std::move(batch), std::move(request), std::move(writes));
  }

  void Send(Batch batch, gateway::WriteRequest request, std::vector<PreparedWrite> writes) const {
    for (PreparedWrite& write : writes) {
      AddTo(request, std::move(write));
      batch.results.push_back(request.operations.size() - 1);
    }
    parts_.gateway.Write(std::move(request),
                         [batch = std::move(batch)](gateway::WriteResponse response) mutable {
                           Answer(batch.call, AtomicReply(batch, response));
                         });
  }

  // Patches with conditions go to the versions that meet them.
  void SendIf(Batch batch, gateway::WriteRequest request, std::vector<PreparedWrite> writes) const {
    const auto shared = std::make_shared<Batch>(std::move(batch));
    const bool taken =
        parts_.gateway.io_pool().Submit([batches = *this, shared, request = std::move(request),
                                         writes = std::move(writes)]() mutable {
          const auto met = MeetConditions(batches.parts_, shared->container, writes);
          if (!met.has_value()) {
            return Answer(shared->call, FailedReply(*shared, shared->keys.size(),
                                                    met.error().operation, met.error().why));
          }
          batches.Send(std::move(*shared), std::move(request), std::move(writes));
        });
    if (!taken) {
      Answer(shared->call,
             Refuse(503, "too many requests are waiting for the disk; try again soon"));
    }
  }

  static Reply FailedReply(const Batch& batch, size_t operations, size_t failed,
                           const ErrorResponse& why) {
    BatchAnswer answer = AnswerTo(batch);
    for (size_t i = 0; i < operations; ++i)
      answer.Add(i == failed ? why.failure : FailedDependency(), RequestUnits());
    return BatchReply(*batch.container, kMultiStatus, std::move(answer), RequestUnits(), "");
  }

  void RunBulk(Call call, gateway::ContainerRef container, const Operations& operations) const {
    // A range that is gone: the client reads the ranges again and deals its operations out anew.
    if (auto range = RangeOfRequest(parts_.gateway, *container, call.headers); !range.has_value())
      return Answer(call, std::unexpected(std::move(range).error()));
    Batch batch{std::move(call), std::move(container), {}};
    batch.minimal = MinimalOf(operations, batch.call.headers.minimal);
    Writes writes;
    for (const model::Value& operation : operations) {
      writes.push_back(Prepare(batch, operation));
      batch.keys.push_back(writes.back().has_value() ? writes.back()->target.key : item::ItemKey());
    }
    // A condition is about the document as the operations before it leave it.
    const bool in_turn = batch.call.headers.batch_stops ||
                         std::ranges::any_of(writes, [](const SqlResult<PreparedWrite>& write) {
                           return write.has_value() && !write->condition.empty();
                         });
    const auto gatherer = std::make_shared<Gatherer>(std::move(batch));
    if (in_turn) return SendInTurn(gatherer, std::make_shared<Writes>(std::move(writes)), 0);
    for (size_t i = 0; i < writes.size(); ++i) {
      SendOne(std::move(writes[i]), gatherer,
              [gatherer, i](Gatherer::Outcome outcome) { gatherer->Put(i, std::move(outcome)); });
    }
  }

  using Writes = std::vector<SqlResult<PreparedWrite>>;
  using Done = std::function<void(Gatherer::Outcome outcome)>;

  SqlResult<PreparedWrite> Prepare(const Batch& batch, const model::Value& operation) const {
    SQL_ASSIGN(BatchOperation read, ReadOperation(batch.call.headers.partition_key, operation));
    return PrepareOperation(parts_, *batch.container, std::move(read));
  }

  // Each when the one before it is done; none behind one that failed, if the batch stops there.
  void SendInTurn(const std::shared_ptr<Gatherer>& gatherer, const std::shared_ptr<Writes>& writes,
                  size_t index) const {
    if (index == writes->size()) return;
    SendOne(std::move((*writes)[index]), gatherer,
            [batches = *this, gatherer, writes, index](Gatherer::Outcome outcome) {
              const bool failed = !outcome.result.has_value();
              const bool stops = failed && gatherer->batch().call.headers.batch_stops;
              gatherer->Put(index, std::move(outcome));
              if (!stops) return batches.SendInTurn(gatherer, writes, index + 1);
              for (size_t i = index + 1; i < writes->size(); ++i)
                gatherer->Put(i, Gatherer::Outcome::Failed(FailedDependency()));
            });
  }

  void SendOne(SqlResult<PreparedWrite> write, const std::shared_ptr<Gatherer>& gatherer,
               Done done) const {
    if (!write.has_value()) return done(Gatherer::Outcome::Failed(write.error().failure));
    if (!write->condition.empty()) {
      if (!IsBounded(write->condition))
        return SendOneIf(*std::move(write), gatherer, std::move(done));
      const gateway::ProgramRequest request =
          ProgramOf(parts_.queries, gatherer->batch().container, *std::move(write));
      return parts_.gateway.Run(request, [done = std::move(done)](gateway::WriteResponse response) {
        done(Gatherer::Outcome::Of(std::move(response)));
      });
    }
    parts_.gateway.Write(RequestOf(gatherer->batch().container, *std::move(write)),
                         [done = std::move(done)](gateway::WriteResponse response) {
                           done(Gatherer::Outcome::Of(std::move(response)));
                         });
  }

  void SendOneIf(PreparedWrite write, const std::shared_ptr<Gatherer>& gatherer, Done done) const {
    const auto shared = std::make_shared<const PreparedWrite>(std::move(write));
    const bool taken = parts_.gateway.io_pool().Submit([batches = *this, gatherer, shared, done] {
      auto written = WriteIfMet(batches.parts_, gatherer->batch().container, *shared);
      done(written.has_value() ? Gatherer::Outcome::Of(*std::move(written))
                               : Gatherer::Outcome::Failed(written.error().failure));
    });
    if (!taken) {
      done(Gatherer::Outcome::Failed(
          {.status = 503, .message = "too many requests are waiting for the disk"}));
    }
  }

  HandlerParts parts_;
};

}  // namespace

void AddBatchHandlers(HandlerTable& table, const HandlerParts& parts) {
  table.Add(ResourceType::kDocument, Action::kBatch,
            [batches = Batches(parts)](Call call) { batches.Run(std::move(call)); });
}

}  // namespace orrery::sql
