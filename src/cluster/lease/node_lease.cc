#include "cluster/lease/node_lease.h"

#include <fmt/core.h>

#include <charconv>
#include <map>
#include <utility>

#include "base/log.h"

namespace orrery::cluster {
namespace {

using storage::rados::LockHolder;
using storage::rados::ObjectStore;
using storage::rados::ObjectWrite;

constexpr std::string_view kLock = "lease";
constexpr char kTerm[] = "term";
constexpr char kHolder[] = "holder";

struct Record {
  uint64_t term = 0;
  std::string holder;
};

Result<Record> ReadRecord(ObjectStore& store, const std::string& object) {
  ORRERY_ASSIGN(auto attributes, store.Attributes(object));
  const auto term = attributes.find(kTerm);
  const auto holder = attributes.find(kHolder);
  Record record;
  if (term == attributes.end() || holder == attributes.end())
    return Fail(Code::kCorruption, fmt::format("the object {} is not a lease", object));
  const char* const end = term->second.data() + term->second.size();
  const auto parsed = std::from_chars(term->second.data(), end, record.term);
  if (parsed.ec != std::errc() || parsed.ptr != end)
    return Fail(Code::kCorruption,
                fmt::format("the term '{}' of the lease {} is no number", term->second, object));
  record.holder = std::move(holder->second);
  return record;
}

// Only if nobody has changed it since term `before`.
Status WriteRecord(ObjectStore& store, const std::string& object, uint64_t before,
                   const Record& record) {
  return store.Apply(object, ObjectWrite()
                                 .RequireAttribute(kTerm, std::to_string(before))
                                 .SetAttribute(kTerm, std::to_string(record.term))
                                 .SetAttribute(kHolder, record.holder));
}

Error HeldByAnother(ObjectStore& store, const std::string& object) {
  const auto holder = store.HolderOf(object, kLock);
  const bool known = holder.has_value() && holder->has_value();
  return {Code::kAlreadyExists,
          fmt::format("the lease {} is held by {}", object, known ? (*holder)->cookie : "another")};
}

}  // namespace

NodeLease::NodeLease(ObjectStore& store, const Clock& clock, Options options, uint64_t term)
    : store_(store), clock_(clock), options_(std::move(options)), term_(term) {}

Result<std::unique_ptr<NodeLease>> NodeLease::Take(ObjectStore& store, const Clock& clock,
                                                   const Options& options) {
  const Status made =
      store.Apply(options.object,
                  ObjectWrite().CreateFirst().SetAttribute(kTerm, "0").SetAttribute(kHolder, ""));
  if (!made.has_value() && made.error().code() != Code::kAlreadyExists) return Fail(made.error());

  const Status locked = store.Lock(options.object, kLock, options.cookie, options.duration);
  if (!locked.has_value()) {
    if (locked.error().code() == Code::kAlreadyExists)
      return Fail(HeldByAnother(store, options.object));
    return Fail(locked.error());
  }
  ORRERY_ASSIGN(const Record former, ReadRecord(store, options.object));
  // Before the record forgets who it was: if this process ends in between, the next one fences it.
  if (!former.holder.empty() && former.holder != store.Address())
    ORRERY_TRY(store.Blocklist(former.holder));
  const Status recorded =
      WriteRecord(store, options.object, former.term, {former.term + 1, store.Address()});
  if (!recorded.has_value()) {
    // Fencing took longer than the lock lasts, and another has taken the lease meanwhile.
    if (recorded.error().code() == Code::kPreconditionFailed)
      return Fail(HeldByAnother(store, options.object));
    return Fail(recorded.error());
  }
  std::unique_ptr<NodeLease> lease(new NodeLease(store, clock, options, former.term + 1));
  // The lock may be old by now: what is trusted begins with a renewal after the record says so.
  ORRERY_TRY(lease->Renew());
  return lease;
}

Result<NodeLease::View> NodeLease::Look(ObjectStore& store, const std::string& object) {
  ORRERY_ASSIGN(Record record, ReadRecord(store, object));
  ORRERY_ASSIGN(const std::optional<LockHolder> holder, store.HolderOf(object, kLock));
  return View{.term = record.term,
              .held = holder.has_value(),
              .holder_address = std::move(record.holder),
              .holder_cookie = holder.has_value() ? holder->cookie : ""};
}

Status NodeLease::Renew() {
  if (over_) return Fail(Code::kNotFound, fmt::format("the lease {} is over", options_.object));
  const Micros start = clock_.Monotonic();
  const Status prolonged = Prolong();
  if (prolonged.has_value()) {
    valid_until_us_ = (start + Micros(options_.duration) * 2 / 3).count();
  } else if (prolonged.error().code() == Code::kNotFound ||
             prolonged.error().code() == Code::kFenced) {
    over_ = true;
  }
  // A release beside this renewal must not be undone by it.
  if (over_) valid_until_us_ = 0;
  return prolonged;
}

Status NodeLease::Prolong() {
  Status held = store_.RenewLock(options_.object, kLock, options_.cookie, options_.duration);
  if (!held.has_value() && held.error().code() == Code::kNotFound) {
    // One hung OSD keeps a renewal waiting for longer than the lock lasts, of every node whose
    // lease is on it. They need not all give way: whoever takes a lease raises its term.
    lapsed_ = true;
    held = store_.Lock(options_.object, kLock, options_.cookie, options_.duration);
    if (!held.has_value() && held.error().code() == Code::kAlreadyExists)
      return Fail(Code::kNotFound, HeldByAnother(store_, options_.object).message());
  }
  ORRERY_TRY(held);
  if (lapsed_) ORRERY_TRY(CheckRecord());
  lapsed_ = false;
  return {};
}

Status NodeLease::CheckRecord() {
  ORRERY_ASSIGN(const Record record, ReadRecord(store_, options_.object));
  if (record.term == term_ && record.holder == store_.Address()) return {};
  // The lock of a lease that another has taken since, and lost: it must not keep the next one out.
  const Status unlocked = store_.Unlock(options_.object, kLock, options_.cookie);
  if (!unlocked.has_value()) LogWarn("cluster: {}", unlocked.error().ToString());
  return Fail(Code::kNotFound, fmt::format("the lease {} was taken by another", options_.object));
}

Status NodeLease::Release() {
  if (over_.exchange(true)) return {};
  valid_until_us_ = 0;
  const Status recorded = WriteRecord(store_, options_.object, term_, {term_, ""});
  if (!recorded.has_value()) {
    // Taken over meanwhile: nothing of it is ours any more.
    if (recorded.error().code() == Code::kPreconditionFailed) return {};
    return recorded;
  }
  const Status unlocked = store_.Unlock(options_.object, kLock, options_.cookie);
  if (!unlocked.has_value() && unlocked.error().code() != Code::kNotFound) return unlocked;
  return {};
}

}  // namespace orrery::cluster
