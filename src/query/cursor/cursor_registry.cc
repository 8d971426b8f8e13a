#include "query/cursor/cursor_registry.h"

#include "base/check.h"

namespace orrery::query {
namespace {

constexpr uint64_t kPositiveBits = INT64_MAX;
// Two equal draws in a row are no accident: the source of randomness is broken.
constexpr int kDrawsMax = 8;

MetricLabels LabelsOf(std::string_view api) { return {{"api", std::string(api)}}; }

std::unexpected<Error> TooMany(std::string_view what) {
  return Fail(Code::kResourceExhausted,
              "too many open cursors: the limit of " + std::string(what) + " is reached");
}

}  // namespace

CursorRegistry::CursorRegistry(Parts parts)
    : clock_(parts.clock),
      random_(std::move(parts.random)),
      limits_(parts.limits),
      open_(parts.metrics.GetGauge("orrery_cursors_open", "Cursors kept for clients now.",
                                   LabelsOf(parts.api))),
      bytes_(parts.metrics.GetGauge("orrery_cursor_bytes", "Bytes that open cursors keep.",
                                    LabelsOf(parts.api))),
      opened_(parts.metrics.GetCounter("orrery_cursors_opened_total", "Cursors opened.",
                                       LabelsOf(parts.api))),
      timed_out_(parts.metrics.GetCounter("orrery_cursors_timed_out_total",
                                          "Cursors removed because nobody used them.",
                                          LabelsOf(parts.api))),
      killed_(parts.metrics.GetCounter("orrery_cursors_killed_total", "Cursors killed.",
                                       LabelsOf(parts.api))),
      refused_(parts.metrics.GetCounter("orrery_cursors_refused_total",
                                        "Cursors not kept because a limit was reached.",
                                        LabelsOf(parts.api))) {}

CursorRegistry::~CursorRegistry() {
  KillAll();
  MutexLock lock(mutex_);
  ORRERY_CHECK(entries_.empty());
}

Result<CursorId> CursorRegistry::Add(std::unique_ptr<KeptRun> run, CursorOptions options) {
  const size_t bytes = run->bytes();
  Runs removed;
  for (int i = 0; i < kDrawsMax; ++i) {
    const CursorId id(static_cast<int64_t>(random_() & kPositiveBits));
    MutexLock lock(mutex_);
    if (id == CursorId() || entries_.contains(id)) continue;
    ExpireInto(removed);
    if (Status fits = CheckFits(options.owner, 1, bytes); !fits.has_value()) {
      removed.push_back(std::move(run));
      refused_.Add();
      return std::unexpected(std::move(fits).error());
    }
    Entry& entry = entries_[id];
    entry.owner = std::move(options.owner);
    entry.never_times_out = options.never_times_out;
    entry.killed = std::make_shared<std::atomic<bool>>(false);
    ++total_.cursors;
    ++owners_[entry.owner].cursors;
    SetBytes(entry, bytes);
    BecomeIdle(id, entry, std::move(run));
    opened_.Add();
    Publish();
    return id;
  }
  return Fail(Code::kInternal, "no free cursor id was found");
}

std::expected<CursorUse, CursorRefusal> CursorRegistry::CheckOut(CursorId id,
                                                                 std::string_view owner) {
  Runs removed;
  MutexLock lock(mutex_);
  ExpireInto(removed);
  const auto at = entries_.find(id);
  if (at == entries_.end() || *at->second.killed) return std::unexpected(CursorRefusal::kNotFound);
  Entry& entry = at->second;
  if (entry.owner != owner) return std::unexpected(CursorRefusal::kForeign);
  if (entry.run == nullptr) return std::unexpected(CursorRefusal::kInUse);
  idle_.erase({entry.last_used, id});
  return CursorUse(*this, id, std::move(entry.run), entry.killed);
}

std::expected<void, CursorRefusal> CursorRegistry::Kill(CursorId id, std::string_view owner) {
  Runs removed;
  MutexLock lock(mutex_);
  ExpireInto(removed);
  const auto at = entries_.find(id);
  if (at == entries_.end()) return std::unexpected(CursorRefusal::kNotFound);
  if (at->second.owner != owner) return std::unexpected(CursorRefusal::kForeign);
  if (!KillEntry(at, removed)) return std::unexpected(CursorRefusal::kNotFound);
  return {};
}

size_t CursorRegistry::KillOwner(std::string_view owner) {
  return KillIf([owner](std::string_view each) { return each == owner; });
}

size_t CursorRegistry::KillIf(const std::function<bool(std::string_view owner)>& pick) {
  Runs removed;
  size_t count = 0;
  MutexLock lock(mutex_);
  for (auto at = entries_.begin(); at != entries_.end();) {
    const auto each = at++;
    if (pick(each->second.owner) && KillEntry(each, removed)) ++count;
  }
  return count;
}

size_t CursorRegistry::KillAll() {
  Runs removed;
  size_t count = 0;
  MutexLock lock(mutex_);
  for (auto at = entries_.begin(); at != entries_.end();) {
    if (KillEntry(at++, removed)) ++count;
  }
  return count;
}

void CursorRegistry::Expire() {
  Runs removed;
  MutexLock lock(mutex_);
  ExpireInto(removed);
}

std::vector<CursorInfo> CursorRegistry::List() const {
  const Micros now = clock_.Monotonic();
  std::vector<CursorInfo> infos;
  MutexLock lock(mutex_);
  for (const auto& [id, entry] : entries_) {
    if (*entry.killed || IsExpired(entry, now)) continue;
    const bool in_use = entry.run == nullptr;
    infos.push_back({.id = id,
                     .owner = entry.owner,
                     .bytes = entry.bytes,
                     .idle = in_use ? Micros(0) : now - entry.last_used,
                     .in_use = in_use});
  }
  return infos;
}

Status CursorRegistry::Return(CursorId id, std::unique_ptr<KeptRun> run) {
  const size_t bytes = run->bytes();
  Runs removed;
  MutexLock lock(mutex_);
  const auto at = entries_.find(id);
  ORRERY_CHECK(at != entries_.end() && at->second.run == nullptr);
  Entry& entry = at->second;
  Status result;
  if (*entry.killed) {
    result = Fail(Code::kCancelled, "the cursor was killed");
  } else if (bytes > entry.bytes) {
    result = CheckFits(entry.owner, 0, bytes - entry.bytes);
    if (!result.has_value()) refused_.Add();
  }
  if (!result.has_value()) {
    removed.push_back(std::move(run));
    Remove(at, removed);
    return result;
  }
  SetBytes(entry, bytes);
  BecomeIdle(id, entry, std::move(run));
  Publish();
  return {};
}

void CursorRegistry::EndUse(CursorId id) {
  Runs removed;
  MutexLock lock(mutex_);
  const auto at = entries_.find(id);
  ORRERY_CHECK(at != entries_.end() && at->second.run == nullptr);
  Remove(at, removed);
}

Status CursorRegistry::CheckFits(const std::string& owner, size_t cursors, size_t bytes) const {
  const auto found = owners_.find(owner);
  const Total own = found == owners_.end() ? Total() : found->second;
  if (total_.cursors + cursors > limits_.cursors_max) return TooMany("cursors of the server");
  if (own.cursors + cursors > limits_.cursors_of_owner_max) return TooMany("cursors of one owner");
  if (total_.bytes + bytes > limits_.bytes_max) return TooMany("bytes of the server");
  if (own.bytes + bytes > limits_.bytes_of_owner_max) return TooMany("bytes of one owner");
  return {};
}

void CursorRegistry::SetBytes(Entry& entry, size_t bytes) {
  Total& own = owners_[entry.owner];
  own.bytes = own.bytes - entry.bytes + bytes;
  total_.bytes = total_.bytes - entry.bytes + bytes;
  entry.bytes = bytes;
}

void CursorRegistry::BecomeIdle(CursorId id, Entry& entry, std::unique_ptr<KeptRun> run) {
  entry.run = std::move(run);
  entry.last_used = clock_.Monotonic();
  if (!entry.never_times_out) idle_.emplace(entry.last_used, id);
}

void CursorRegistry::Remove(Entries::iterator at, Runs& removed) {
  Entry& entry = at->second;
  SetBytes(entry, 0);
  --total_.cursors;
  const auto own = owners_.find(entry.owner);
  if (--own->second.cursors == 0) owners_.erase(own);
  idle_.erase({entry.last_used, at->first});
  if (entry.run != nullptr) removed.push_back(std::move(entry.run));
  entries_.erase(at);
  Publish();
}

bool CursorRegistry::KillEntry(Entries::iterator at, Runs& removed) {
  if (at->second.killed->exchange(true)) return false;
  killed_.Add();
  if (at->second.run != nullptr) Remove(at, removed);
  return true;
}

void CursorRegistry::ExpireInto(Runs& removed) {
  const Micros now = clock_.Monotonic();
  while (!idle_.empty()) {
    const auto at = entries_.find(idle_.begin()->second);
    if (!IsExpired(at->second, now)) return;
    Remove(at, removed);
    timed_out_.Add();
  }
}

void CursorRegistry::Publish() const {
  open_.Set(static_cast<double>(total_.cursors));
  bytes_.Set(static_cast<double>(total_.bytes));
}

}  // namespace orrery::query
