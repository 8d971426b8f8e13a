#include "gateway/remote/row_write_run.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "base/murmur3.h"
#include "item/outbox/derived_write_check.h"
#include "model/row/row_codec.h"

namespace orrery::gateway {
namespace {

// Points into `bytes`.
Result<std::optional<model::Row>> RowIn(const std::optional<std::string>& bytes) {
  std::optional<model::Row> row;
  if (bytes.has_value()) ORRERY_TRY(model::DecodeRow(*bytes, row.emplace()));
  return row;
}

// The rows that a program reads, out of all that were seen.
Result<std::vector<std::optional<model::Row>>> RowsRead(const RowsSeen& seen,
                                                        std::span<const std::string> reads) {
  std::map<std::string_view, const SeenRow*> by_key;
  for (const SeenRow& row : seen.rows) by_key[row.clustering] = &row;
  std::vector<std::optional<model::Row>> rows;
  rows.reserve(reads.size());
  for (const std::string& key : reads) {
    const auto found = by_key.find(key);
    if (found == by_key.end()) {
      return Fail(Code::kInternal, "the partition's owner did not send a row that was asked for");
    }
    ORRERY_ASSIGN(std::optional<model::Row> row, RowIn(found->second->before));
    rows.push_back(std::move(row));
  }
  return rows;
}

// Returns the derived writes that a program with views makes of rows before and after. `seen` and
// `tried` saw the same ones.
Result<std::vector<item::DerivedWrite>> DerivedWritesOf(item::RowProgram& program,
                                                        const RowsSeen& seen,
                                                        const RowsSeen& tried) {
  if (tried.rows.size() != seen.rows.size())
    return Fail(Code::kInternal, "the partition's owner sent other rows than it was asked for");
  struct Image {
    std::optional<model::Row> before;
    std::optional<model::Row> after;
  };
  std::vector<Image> images(seen.rows.size());
  std::vector<item::TouchedRow> touched;
  touched.reserve(images.size());
  for (size_t i = 0; i < images.size(); ++i) {
    ORRERY_ASSIGN(images[i].before, RowIn(seen.rows[i].before));
    ORRERY_ASSIGN(images[i].after, RowIn(tried.rows[i].after));
    touched.push_back({seen.rows[i].clustering,
                       images[i].before.has_value() ? &*images[i].before : nullptr,
                       images[i].after.has_value() ? &*images[i].after : nullptr});
  }
  return program.Follow(touched, seen.now);
}

// Derived writes that cannot be stored cannot be sent either; the owner checks stricter limits.
Status CheckDerivedWrites(const item::RowChanges& changes) {
  return item::DerivedWriteCheck({}).Add(changes.derived_writes);
}

}  // namespace

void RowWriteRun::Start() {
  if (Status sound = CheckDerivedWrites(request_.changes); !sound.has_value())
    return Finish(std::move(sound));
  if (request_.program == nullptr) return SendWhole();
  if (request_.program->reads().size() > item::kRowProgramReadsMax) {
    return Finish(Fail(Code::kTooLarge, "a write may not look at so many rows"));
  }
  Look();
}

void RowWriteRun::SendWhole() {
  forwarder_.Send({.container = request_.container,
                   .hash = hash_,
                   .method = cluster::PeerMethod::kWriteRows,
                   .body = EncodeRowWrite(request_.partition_key, request_.changes,
                                          WriteDebt::kNone, /*guard=*/nullptr),
                   .repeatable = false},
                  [self = shared_from_this()](Result<std::string> answer) {
                    self->Take(std::move(answer), /*commits=*/true, std::nullopt, nullptr);
                  });
}

Guard RowWriteRun::MakeGuard(Guard::Step step) const {
  const item::RowProgram& program = *request_.program;
  Guard guard;
  guard.step = step;
  guard.follows = program.follows();
  guard.reads.assign(program.reads().begin(), program.reads().end());
  if (guard.follows)
    guard.ranges.assign(program.read_ranges().begin(), program.read_ranges().end());
  guard.expected = digest_;
  return guard;
}

void RowWriteRun::Look() {
  digest_.reset();
  Send(MakeGuard(Guard::Step::kLook), &RowWriteRun::Consider);
}

void RowWriteRun::Send(Guard guard, Next next) {
  const bool commits = guard.step == Guard::Step::kCommit;
  forwarder_.Send(
      {.container = request_.container,
       .hash = hash_,
       .method = commits ? cluster::PeerMethod::kWriteRows : cluster::PeerMethod::kReadForProgram,
       .body = EncodeRowWrite(request_.partition_key, request_.changes, WriteDebt::kNone, &guard),
       .repeatable = !commits},
      [self = shared_from_this(), commits, expected = guard.expected, next](
          Result<std::string> answer) { self->Take(std::move(answer), commits, expected, next); });
}

void RowWriteRun::Take(Result<std::string> answer, bool commits, std::optional<Hash128> expected,
                       Next next) {
  if (!answer.has_value()) return Finish(Fail(std::move(answer).error()));
  Result<RowWriteAnswer> decoded = DecodeRowWriteAnswer(*answer);
  if (!decoded.has_value()) return Finish(Fail(std::move(decoded).error()));
  charge_ += decoded->charge;
  if (!decoded->seen.has_value()) return Finish(std::move(decoded->status));
  RowsSeen seen = *std::move(decoded->seen);
  const bool others = expected.has_value() && DigestOf(seen) != *expected;
  if (commits || others) return DecideAgain(std::move(seen));
  (this->*next)(std::move(seen));
}

void RowWriteRun::Consider(RowsSeen seen) {
  ++decisions_;
  seen_ = std::move(seen);
  digest_ = DigestOf(seen_);
  item::RowProgram& program = *request_.program;
  const auto rows = RowsRead(seen_, program.reads());
  if (!rows.has_value()) return Finish(Fail(rows.error()));
  Result<item::RowChanges> decided = program.Decide(*rows, seen_.now);
  if (!decided.has_value()) return Finish(Fail(std::move(decided).error()));
  decided_ = *std::move(decided);
  if (!program.looks_on()) return AfterDecision();
  Guard guard = MakeGuard(Guard::Step::kLook);
  guard.looks_on = true;
  Send(std::move(guard), &RowWriteRun::LookOn);
}

void RowWriteRun::LookOn(RowsSeen seen) {
  for (const auto& [clustering, bytes] : seen.looked) {
    model::Row row;
    if (Status decoded = model::DecodeRow(bytes, row); !decoded.has_value())
      return Finish(std::move(decoded));
    const Result<bool> go_on = request_.program->LookAt(clustering, row);
    if (!go_on.has_value()) return Finish(Fail(go_on.error()));
    if (!*go_on) break;
  }
  AfterDecision();
}

void RowWriteRun::AfterDecision() {
  if (!request_.program->follows()) return Commit();
  if (!request_.changes.empty() || !decided_.empty()) {
    Guard guard = MakeGuard(Guard::Step::kTry);
    guard.decided.rows = decided_.rows;
    guard.decided.range_tombstones = decided_.range_tombstones;
    return Send(std::move(guard), &RowWriteRun::Follow);
  }
  // Nothing changes: rows stay as they are.
  RowsSeen same = seen_;
  for (SeenRow& row : same.rows) row.after = row.before;
  Follow(std::move(same));
}

void RowWriteRun::Follow(RowsSeen tried) {
  auto derived_writes = DerivedWritesOf(*request_.program, seen_, tried);
  if (!derived_writes.has_value()) return Finish(Fail(std::move(derived_writes).error()));
  std::ranges::move(*derived_writes, std::back_inserter(decided_.derived_writes));
  Commit();
}

void RowWriteRun::Commit() {
  if (request_.changes.empty() && decided_.empty()) return Finish({});
  if (Status sound = CheckDerivedWrites(decided_); !sound.has_value())
    return Finish(std::move(sound));
  Guard guard = MakeGuard(Guard::Step::kCommit);
  guard.decided = decided_;
  Send(std::move(guard), nullptr);
}

void RowWriteRun::DecideAgain(RowsSeen seen) {
  if (decisions_ >= kDecisionsMax) {
    return Finish(Fail(Code::kOverloaded,
                       "others changed the rows of this write each time before it could: nothing "
                       "was changed; retry"));
  }
  if (decisions_ <= 1) return Consider(std::move(seen));
  // The rows that were seen will be old after the pause.
  if (!forwarder_.RunLater(PauseOfThisTry(), [self = shared_from_this()] { self->Look(); }))
    Finish(Fail(Code::kOverloaded, "too many writes wait for others; nothing was changed; retry"));
}

std::chrono::milliseconds RowWriteRun::PauseOfThisTry() const {
  const int64_t longest =
      std::min<int64_t>(int64_t{1} << std::min(decisions_, 16), kPauseMax.count());
  // No two looks at a partition have the same time: it spreads those that wait for each other.
  std::string salt;
  AppendBigEndian(salt, seen_.now.count());
  return std::chrono::milliseconds(
      static_cast<int64_t>(Murmur3(salt).low % static_cast<uint64_t>(longest)) + 1);
}

void RowWriteRun::Finish(Status status) {
  RowWriteResponse response;
  response.status = std::move(status);
  response.charge = charge_;
  if (!response.status.has_value() && response.status.error().code() == Code::kThrottled) {
    response.refused = std::move(request_);
  } else {
    response.program = std::move(request_.program);
  }
  Done done = std::move(done_);
  done(std::move(response));
}

}  // namespace orrery::gateway
