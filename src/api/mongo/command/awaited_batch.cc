#include "api/mongo/command/awaited_batch.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "api/mongo/command/cursor_reply.h"
#include "api/mongo/command/fields.h"
#include "api/mongo/command/operation/operation_registry.h"
#include "api/mongo/error/error_map.h"
#include "base/mutex.h"

namespace orrery::mongo {
namespace {

constexpr std::chrono::milliseconds kAwaitDefault{1'000};
// The delay after which a killed cursor or a client that is gone is seen.
constexpr std::chrono::milliseconds kAwaitTick{100};
// The delay after which writes of other nodes are seen.
constexpr std::chrono::milliseconds kPeerTick{50};
// Cursors that wait at one time; more are answered at once, without rows.
constexpr size_t kAwaitingMax = 5'000;

class AwaitedBatch : public std::enable_shared_from_this<AwaitedBatch> {
 public:
  AwaitedBatch(std::shared_ptr<CommandContext> context, query::CursorUse use, CommandDone done)
      : context_(std::move(context)),
        use_(std::move(use)),
        done_(std::move(done)),
        operation_(std::in_place, context_->services.operations, context_,
                   context_->services.clock.Monotonic()) {}

  void Start() {
    const Fields fields(context_->body(), "getMore");
    const auto limit = fields.Count("maxTimeMS");
    const auto wait = limit.has_value() && limit->has_value() ? std::chrono::milliseconds(**limit)
                                                              : kAwaitDefault;
    const auto rows = fields.Count("batchSize");
    if (rows.has_value() && rows->value_or(0) > 0) rows_max_ = static_cast<uint64_t>(**rows);
    // It is how long to wait, not how long the command may take.
    context_->request.set_deadline(RequestContext::kNoDeadline);
    until_ = context_->services.clock.Monotonic() + wait;
    Submit();
  }

 private:
  enum class State : uint8_t { kReading, kWaiting, kAnswered };

  CursorRun& run() { return static_cast<CursorRun&>(use_->run()); }
  Micros now() const { return context_->services.clock.Monotonic(); }
  bool is_over() const { return now() >= until_; }
  bool is_unwanted() const {
    return use_->killed() || context_->killed.load(std::memory_order_relaxed) ||
           context_->request.stop_reason() != StopReason::kNone;
  }

  // REQUIRES: the state is kReading.
  void Submit() {
    const bool is_taken =
        context_->services.gateway.io_pool().Submit([self = shared_from_this()] { self->Read(); });
    if (is_taken) return;
    // The server has too much to do: the client asks again.
    model::DocumentBuilder empty;
    empty.OpenObject("cursor").OpenArray("nextBatch").Close();
    Finish(std::move(empty), true);
  }

  void Read() {
    if (is_unwanted()) return AnswerUnwanted();
    // From here on nothing is missed: what is written later rings.
    Listen();
    model::DocumentBuilder reply;
    reply.OpenObject("cursor").OpenArray("nextBatch");
    RunState& state = run().state();
    Attach(state, *context_);
    auto filled = run().Fill(reply, rows_max_);
    rows_ = static_cast<uint64_t>(run().given());
    context_->charge += std::exchange(state.charge, {});
    Detach(state);
    if (!filled.has_value()) return Answer(std::unexpected(std::move(filled).error()));
    reply.Close();
    if (rows_ > 0 || !*filled || is_over()) return Finish(std::move(reply), *filled);
    Wait(std::move(reply));
  }

  void Listen() {
    MutexLock lock(mutex_);
    is_rung_ = false;
    StopListening();
    gateway::ChangeBell& bell = context_->services.gateway.catalog().bell();
    if (bell.listening() >= kAwaitingMax) return;
    listener_ = bell.Listen(run().tail()->containers(), [weak = weak_from_this()] {
      if (const auto self = weak.lock()) self->OnRing();
    });
  }
  void StopListening() REQUIRES(mutex_) {
    if (listener_.has_value())
      context_->services.gateway.catalog().bell().Forget(*std::exchange(listener_, std::nullopt));
  }

  void Wait(model::DocumentBuilder empty) {
    bool reads_again = false;
    bool cannot_wait = false;
    {
      MutexLock lock(mutex_);
      if (is_rung_) {
        reads_again = true;
      } else if (!listener_.has_value() || !ArmTick()) {
        cannot_wait = true;
      } else {
        state_ = State::kWaiting;
      }
    }
    if (reads_again) return Submit();
    // The server stops, or too many wait: the client asks again.
    if (cannot_wait) Finish(std::move(empty), true);
  }

  bool ArmTick() {
    DelayQueue* const waits = context_->services.waits;
    if (waits == nullptr) return false;
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(std::max(until_ - now(), Micros(0)));
    const auto tick = context_->services.gateway.has_peers() ? kPeerTick : kAwaitTick;
    return waits->RunAfter(std::min(left, tick), [self = shared_from_this()] { self->OnTick(); });
  }

  void OnRing() {
    {
      MutexLock lock(mutex_);
      is_rung_ = true;
      listener_.reset();  // it is called once
      if (state_ != State::kWaiting) return;
      state_ = State::kReading;
    }
    Submit();
  }

  void OnTick() {
    bool cannot_wait = false;
    {
      MutexLock lock(mutex_);
      if (state_ != State::kWaiting) return;
      const bool looks = is_over() || is_unwanted() || context_->services.gateway.has_peers();
      if (!looks && ArmTick()) return;
      state_ = State::kReading;
      cannot_wait = !looks;
    }
    if (cannot_wait) until_ = Micros(0);
    Submit();
  }

  void AnswerUnwanted() {
    if (use_->killed())
      return Answer(Refuse(237, "operation was interrupted because its cursor was killed"));
    if (context_->request.stop_reason() == StopReason::kServerStopping) {
      MongoError error{static_cast<int32_t>(ErrorCode::kInterruptedAtShutdown),
                       "interrupted at shutdown"};
      error.labels.emplace_back("ResumableChangeStreamError");
      return Answer(std::unexpected(std::move(error)));
    }
    Answer(Refuse(ErrorCode::kInterrupted, "operation was interrupted"));
  }

  void Finish(model::DocumentBuilder reply, bool may_go_on) {
    const int64_t id = use_->id().value();
    const std::string name = run().name();
    run().AppendFacts(reply);
    int64_t left = 0;
    if (may_go_on && std::move(*use_).Return().has_value()) left = id;
    reply.AppendInt64("id", left).AppendString("ns", name).Close();
    Answer(std::move(reply));
  }

  void Answer(CommandReply reply) {
    {
      MutexLock lock(mutex_);
      state_ = State::kAnswered;
      StopListening();
    }
    use_.reset();
    operation_.reset();
    done_(std::move(reply));
  }

  const std::shared_ptr<CommandContext> context_;
  std::optional<query::CursorUse> use_;
  CommandDone done_;
  std::optional<OperationEntry> operation_;
  uint64_t rows_max_ = UINT64_MAX;
  uint64_t rows_ = 0;  // in the reply
  Micros until_{0};

  Mutex mutex_;
  State state_ GUARDED_BY(mutex_) = State::kReading;
  bool is_rung_ GUARDED_BY(mutex_) = false;
  std::optional<uint64_t> listener_ GUARDED_BY(mutex_);
};

}  // namespace

void StartAwaitedBatch(const std::shared_ptr<CommandContext>& context, query::CursorUse use,
                       CommandDone done) {
  std::make_shared<AwaitedBatch>(context, std::move(use), std::move(done))->Start();
}

}  // namespace orrery::mongo
