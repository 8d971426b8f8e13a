#include "api/cassandra/executor/read/select_run.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>

#include "api/cassandra/executor/read/answer_memory.h"
#include "api/cassandra/executor/read/feed_source.h"
#include "api/cassandra/executor/read/partition_index_source.h"
#include "api/cassandra/executor/read/table_source.h"
#include "api/cassandra/executor/read/virtual_source.h"
#include "api/cassandra/executor/row/key_values.h"
#include "base/bytes.h"
#include "base/work_scope.h"

namespace orrery::cassandra {
namespace {

// On the caller's thread, an event loop's perhaps: so many fetches of so many rows.
constexpr int kInlineFetches = 2;
constexpr size_t kInlineRows = 128;
constexpr size_t kInlineBytes = 32 << 10;
// In the pool: so many before others have their turn.
constexpr int kFetchesPerTurn = 64;
constexpr size_t kFetchRowsMin = 100;
constexpr size_t kFetchRowsMax = 2'000;
constexpr size_t kExaminedPerFetch = 10'000;

// The time for which the provisioned rate may hold up a read that has begun; as Cassandra's
// time-out for range reads.
constexpr std::chrono::milliseconds kWaitMax{10'000};
// Of one page: from when on it is sent although it is not full, and its end where it cannot be.
constexpr std::chrono::milliseconds kPageTimeMax{5'000};
constexpr std::chrono::milliseconds kReadTimeMax{60'000};

RequestContext WithTime(const RequestContext& given, const Clock& clock) {
  const Micros now = clock.Monotonic();
  RequestContext context = given.Until(now + Micros(kReadTimeMax));
  context.set_cut_from(now + Micros(kPageTimeMax));
  return context;
}

// The error of a read that is not wanted any more.
CqlError StoppedRead(const RequestContext& context, const Error& error) {
  if (context.stop_reason() != StopReason::kDeadline) return ToCqlError(error);
  return {ErrorCode::kReadTimeout,
          fmt::format("Operation timed out: the read took longer than {} ms", kReadTimeMax.count()),
          ReadTimeoutDetails{{.received = 0, .block_for = 1}, false}, 0};
}

std::optional<std::string> OwnedState(const QueryParameters& parameters) {
  if (!parameters.paging_state.has_value() || parameters.paging_state->empty()) return std::nullopt;
  return std::string(*parameters.paging_state);
}

CqlResult<std::optional<uint32_t>> BindLimit(const ExpressionPtr& limit,
                                             const Evaluation& evaluation) {
  if (limit == nullptr) return std::nullopt;
  CQL_ASSIGN(const TermValue value, limit->Evaluate(evaluation));
  if (value.is_unset()) return std::nullopt;
  if (value.is_null()) return Invalid("Invalid null value of limit");
  if (value.bytes.size() != sizeof(int32_t)) return Invalid("Invalid limit value");
  const auto rows = LoadBigEndian<int32_t>(value.bytes.data());
  if (rows <= 0) return Invalid("LIMIT must be strictly positive");
  return static_cast<uint32_t>(rows);
}

CqlResult<Micros> FeedStart(const Expression& start, const Evaluation& evaluation) {
  CQL_ASSIGN(const TermValue value, start.Evaluate(evaluation));
  if (value.bytes.size() != sizeof(int64_t))
    return Invalid("Invalid null value for cosmos_changefeed_start_time()");
  const auto start_ms = LoadBigEndian<int64_t>(value.bytes.data());
  // Times that microseconds cannot hold are as good as the nearest that they can.
  constexpr int64_t kFarthestMs = std::numeric_limits<int64_t>::max() / 1'000;
  return Micros(std::clamp(start_ms, -kFarthestMs, kFarthestMs) * 1'000);
}

// Checks that the mark can be one of the table's: its columns may have other types by now.
CqlStatus CheckMark(const Table& table, const RowMark& mark) {
  const bool has_key = table.source != nullptr || !mark.key.empty();
  const bool is_sound =
      has_key && PartitionKeyValues(table, mark.key).has_value() &&
      (!mark.clustering.has_value() || ClusteringValues(table, *mark.clustering).has_value());
  if (!is_sound) return std::unexpected(InvalidPagingState());
  return {};
}

}  // namespace

SelectRun::SelectRun(const Parts& parts, const SelectRequest& request, Done done)
    : parts_(parts),
      plan_(request.plan),
      shape_(request.shape),
      schema_(request.schema),
      client_(request.client),
      values_(request.parameters.values),
      paging_state_(OwnedState(request.parameters)),
      page_rows_(static_cast<uint32_t>(std::max(request.parameters.page_rows.value_or(0), 0))),
      context_(WithTime(request.context, parts.rows.clock())),
      now_s_(NowSeconds(request, parts.rows.clock().Now())),
      functions_{parts.rows.clock().Now(), parts.uuids},
      done_(std::move(done)),
      memory_(parts.answers) {}

void SelectRun::Start() {
  // Functions of users may be in the WHERE clause, too.
  if (!plan_->calls_user_functions &&
      (!Begin() || Work(storage::ReadMode::kCachedOnly, kInlineFetches))) {
    return;
  }
  if (!HandOver()) Fail(TooManyReads());
}

bool SelectRun::Begin() {
  auto prepared = Prepare();
  if (prepared.has_value()) return true;
  Fail(std::move(prepared).error());
  return false;
}

CqlStatus SelectRun::Prepare() {
  Evaluation evaluation;
  evaluation.values = values_.values();
  evaluation.functions = &functions_;
  // An invalid limit is refused before anything else.
  CQL_ASSIGN(CollectorLimits limits, BindLimits());
  CQL_ASSIGN(keys_, plan_->restrictions->Bind(evaluation));
  CQL_ASSIGN(RowFilter filter, plan_->restrictions->BindFilter(evaluation));
  filter_.emplace(std::move(filter));
  CQL_TRY(CheckPaging(limits));
  per_partition_ = plan_->is_distinct ? 1 : limits.per_partition;
  std::optional<SourceStart> start;
  std::string continuation;
  if (paging_state_.has_value()) CQL_TRY(Resume(start, continuation, limits));
  collector_.emplace(RowCollector::Parts{*plan_, keys_, *filter_, evaluation, now_s_}, limits);
  if (start.has_value()) collector_->Resume(*start);
  CQL_TRY(MakeSource(std::move(start), std::move(continuation), limits, evaluation));
  if (plan_->is_aggregate() && !plan_->restrictions->has_partition_key()) {
    outcome_.warnings.emplace_back("Aggregation query used without partition key");
  } else if (plan_->is_aggregate() && plan_->restrictions->partition_key_has_in()) {
    outcome_.warnings.emplace_back(
        "Aggregation query used on multiple partition keys (IN restriction)");
  }
  return {};
}

CqlResult<CollectorLimits> SelectRun::BindLimits() const {
  FunctionContext functions = functions_;
  Evaluation evaluation;
  evaluation.values = values_.values();
  evaluation.functions = &functions;
  CollectorLimits limits;
  // A page of the feed has all that was read for it.
  limits.page_rows = plan_->is_feed() ? 0 : page_rows_;
  CQL_ASSIGN(limits.rows, BindLimit(plan_->limit, evaluation));
  CQL_ASSIGN(limits.per_partition, BindLimit(plan_->per_partition_limit, evaluation));
  return limits;
}

CqlStatus SelectRun::CheckPaging(const CollectorLimits& limits) const {
  // All rows are sorted before a LIMIT counts: Cassandra takes none for a limit of the query's.
  if (!plan_->sort.empty() && page_rows_ != 0) {
    return Invalid(
        "Cannot page queries with both ORDER BY and a IN restriction on the partition key; you "
        "must either remove the ORDER BY or the IN and sort client side, or disable paging for "
        "this query");
  }
  if (plan_->nearest.has_value() && limits.rows.value_or(kNearestRowsMax + 1) > kNearestRowsMax) {
    return Invalid(
        fmt::format("Use of ANN OF in an ORDER BY clause requires a LIMIT that is not greater than "
                    "{}. LIMIT was {}",
                    kNearestRowsMax, limits.rows.has_value() ? *limits.rows : 0));
  }
  return {};
}

CqlStatus SelectRun::Resume(std::optional<SourceStart>& start, std::string& continuation,
                            CollectorLimits& limits) const {
  CQL_ASSIGN(
      PagingState state,
      DecodePagingState(*paging_state_, plan_->is_feed() ? PagingKind::kFeed : PagingKind::kRows,
                        plan_->table->id));
  if (!plan_->sort.empty() || plan_->nearest.has_value()) {
    return std::unexpected(
        InvalidPagingState("the rows of this statement are sorted and have no pages"));
  }
  if (state.left.has_value())
    limits.rows = std::min(limits.rows.value_or(*state.left), *state.left);
  if (plan_->is_feed()) {
    continuation = std::move(state.continuation);
    return {};
  }
  CQL_TRY(CheckMark(*plan_->table, state.mark));
  start = SourceStart{std::move(state.mark), state.partition_rows};
  // The limit of the partition has been reached.
  if (per_partition_.has_value() && start->partition_rows >= *per_partition_)
    start->mark.clustering.reset();
  return {};
}

CqlStatus SelectRun::MakeSource(std::optional<SourceStart> start, std::string continuation,
                                const CollectorLimits& limits, const Evaluation& evaluation) {
  const Table& table = *plan_->table;
  if (plan_->is_feed()) {
    CQL_ASSIGN(const Micros since, FeedStart(*plan_->restrictions->feed_start(), evaluation));
    source_ = std::make_unique<FeedSource>(
        parts_.rows,
        FeedSource::Question{table.container, keys_, since, table.clustering_count > 0,
                             plan_->reads_statics},
        std::move(continuation));
    return {};
  }
  if (table.source != nullptr) {
    source_ = std::make_unique<VirtualSource>(
        VirtualSource::Question{plan_->table, schema_, client_, keys_, plan_->reversed},
        std::move(start));
    return {};
  }
  if (keys_.index_of_partitions) {
    source_ = std::make_unique<PartitionIndexSource>(parts_.rows, table.container, keys_,
                                                     std::move(start));
    return {};
  }
  // Only where each row of a partition is one of the result.
  size_t rows_per_partition_max = 0;
  if (filter_->empty() && keys_.ranges.size() == 1 && !plan_->is_aggregate()) {
    rows_per_partition_max = plan_->is_distinct ? 1 : limits.per_partition.value_or(0);
  }
  source_ = std::make_unique<TableSource>(
      parts_.rows,
      TableSource::Question{table.container, keys_, table.clustering_count > 0, plan_->reversed,
                            plan_->reads_statics, rows_per_partition_max},
      std::move(start));
  return {};
}

bool SelectRun::Work(storage::ReadMode mode, int turns) {
  const WorkScope scope(context_);
  for (; !source_->done(); --turns) {
    if (turns == 0) return false;
    if (const Status wanted = context_.Check(); !wanted.has_value()) {
      Fail(StoppedRead(context_, wanted.error()));
      return true;
    }
    auto page = source_->Next(FetchLimits(mode), mode);
    if (!page.has_value()) {
      Stopped(std::move(page).error());
      return true;
    }
    if (!page->has_value()) return false;
    outcome_.charge += (*page)->charge;
    examined_ += (*page)->examined;
    const auto taken = collector_->Take(**page);
    if (!taken.has_value()) {
      const Status wanted = context_.Check();
      Fail(wanted.has_value() ? taken.error() : StoppedRead(context_, wanted.error()));
      return true;
    }
    if (!HoldAnswer(memory_, collector_->bytes())) {
      Fail(TooManyAnswers());
      return true;
    }
    if (*taken == RowCollector::Taken::kEnough) {
      Complete();
      return true;
    }
    if (*taken == RowCollector::Taken::kFull) {
      HasEnded() ? Complete() : Cut();
      return true;
    }
    if ((examined_ >= parts_.examined_per_page || context_.is_late()) && collector_->rows() > 0 &&
        MayCut()) {
      if (source_->done()) break;
      Cut();
      return true;
    }
  }
  if (auto finished = collector_->Finish(); !finished.has_value()) {
    Fail(std::move(finished).error());
    return true;
  }
  // There is always more to come of the feed, later. The last group may have filled the page.
  const bool is_full = plan_->grouping.kind == Grouping::Kind::kPrefix && collector_->is_full() &&
                       collector_->rows_left() != 0u && !HasEnded();
  plan_->is_feed() || is_full ? Cut() : Complete();
  return true;
}

bool SelectRun::HasEnded() const {
  // As Cassandra tells it: a page that is exactly full may be followed by an empty one, but not
  // when the last of the partitions that were asked for has no more that may come.
  const RowMark& mark = *collector_->mark();
  const auto& asked = keys_.partition_keys;
  if (!asked.has_value() || keys_.index.has_value() || mark.key != asked->back()) return false;
  if (plan_->table->source != nullptr && asked->size() > 1) return false;
  return !mark.clustering.has_value() ||
         (per_partition_.has_value() && collector_->partition_rows() >= *per_partition_);
}

void SelectRun::Stopped(CqlError error) {
  const std::chrono::milliseconds pause(error.retry_after_ms);
  const bool is_throttled = error.retry_after_ms != 0;
  // Rows that were found before are a page of their own.
  if (is_throttled && collector_->rows() > 0 && MayCut()) return Cut();
  const bool may_wait = is_throttled && examined_ > 0 && waited_ + pause <= kWaitMax;
  const auto go_on = [self = shared_from_this()] {
    if (!self->HandOver()) self->Fail(TooManyReads());
  };
  waited_ += pause;  // before another thread may go on
  if (may_wait && parts_.waits != nullptr && parts_.waits->RunAfter(pause, go_on)) return;
  Fail(std::move(error));
}

bool SelectRun::HandOver() {
  return parts_.rows.io_pool().Submit([self = shared_from_this()] {
    if (!self->collector_.has_value() && !self->Begin()) return;
    // If the pool is full this thread goes on.
    while (!self->Work(storage::ReadMode::kMayBlock, kFetchesPerTurn)) {
      if (self->HandOver()) return;
    }
  });
}

item::PageLimits SelectRun::FetchLimits(storage::ReadMode mode) const {
  item::PageLimits limits;
  limits.examined_max = kExaminedPerFetch;
  const size_t unlimited = plan_->is_feed() && page_rows_ != 0 ? page_rows_ : kFetchRowsMax;
  size_t rows = collector_->room().value_or(unlimited);
  // Tests let only some through.
  if (!filter_->empty()) rows = std::max(rows, kFetchRowsMin);
  limits.items_max = std::clamp<size_t>(rows, 1, kFetchRowsMax);
  if (mode == storage::ReadMode::kCachedOnly) {
    limits.items_max = std::min(limits.items_max, kInlineRows);
    limits.bytes_max = kInlineBytes;
  }
  return limits;
}

bool SelectRun::MayCut() const {
  return page_rows_ != 0 && !plan_->is_aggregate() && plan_->sort.empty() &&
         !plan_->nearest.has_value();
}

void SelectRun::Cut() {
  PagingState state;
  state.table = plan_->table->id;
  state.left = collector_->rows_left();
  if (plan_->is_feed()) {
    state.kind = PagingKind::kFeed;
    state.continuation = source_->continuation();
  } else {
    state.mark = *collector_->mark();
    state.partition_rows = collector_->partition_rows();
  }
  RowsOutcome result;
  result.paging_state = EncodePagingState(state);
  outcome_.result = std::move(result);
  Complete();
}

void SelectRun::Complete() {
  if (!std::holds_alternative<RowsOutcome>(outcome_.result)) outcome_.result = RowsOutcome{};
  auto& result = std::get<RowsOutcome>(outcome_.result);
  result.shape = shape_;
  collector_->Give(result.cells, result.rows);
  result.memory = std::move(memory_);
  Done done = std::move(done_);
  done(std::move(outcome_));
}

void SelectRun::Fail(CqlError error) {
  outcome_.result = std::move(error);
  Done done = std::move(done_);
  done(std::move(outcome_));
}

}  // namespace orrery::cassandra
