#include "storage/rados/object/librados_store.h"

#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <deque>
#include <list>
#include <utility>
#include <variant>

#include "base/mutex.h"
#include "base/overload.h"
#include "model/document/json.h"
#include "storage/rados/object/librados_connection.h"
#include "storage/rados/object/librados_error.h"
#include "storage/rados/object/librados_operation.h"
#include "storage/rados/object/librados_watch.h"

namespace orrery::storage::rados {
namespace {

// Locks keep their state in attributes of this kind.
constexpr std::string_view kLockAttribute = "lock.";

// Operations whose callback has not returned yet; the store must not go before them.
class Underway {
 public:
  void Begin() EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    ++count_;
  }
  void End() EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    if (--count_ == 0) none_.NotifyAll();
  }
  void WaitForNone() EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    while (count_ != 0) none_.Wait(mutex_);
  }

 private:
  Mutex mutex_;
  CondVar none_;
  uint64_t count_ GUARDED_BY(mutex_) = 0;
};

// Addresses that this process has had blocklisted, the last ones.
class Blocklisted {
 public:
  bool Contains(const std::string& address) const EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    return std::ranges::find(last_, address) != last_.end();
  }
  void Add(const std::string& address) EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    last_.push_back(address);
    if (last_.size() > kMax) last_.pop_front();
  }

 private:
  static constexpr size_t kMax = 64;
  mutable Mutex mutex_;
  std::deque<std::string> last_ GUARDED_BY(mutex_);
};

// The free space that the monitors reported last, and when.
class FreeSpace {
 public:
  void Set(uint64_t bytes) EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    bytes_ = bytes;
    told_ = std::chrono::steady_clock::now();
  }
  std::optional<uint64_t> Get(std::chrono::seconds age_max) const EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    if (std::chrono::steady_clock::now() - told_ > age_max) return std::nullopt;
    return bytes_;
  }

 private:
  mutable Mutex mutex_;
  std::optional<uint64_t> bytes_ GUARDED_BY(mutex_);
  std::chrono::steady_clock::time_point told_ GUARDED_BY(mutex_);
};

// One operation from its submission to the end of its callback, which destroys it.
struct WriteCall {
  Underway& underway;
  std::string object;
  ObjectStore::Done done;

  void End(int result) { done(RadosStatus(result, "write " + object)); }
};
struct ReadCall {
  Underway& underway;
  std::string object;
  ObjectStore::ReadDone done;
  librados::bufferlist bytes;

  void End(int result) {
    if (result < 0) return done(Fail(RadosError(result, "read " + object)));
    done(WithoutExceptions([&]() -> Result<std::string> { return ToBytes(bytes); }));
  }
};

template <typename Call>
void Finish(std::unique_ptr<Call> call, int result) {
  Underway& underway = call->underway;
  call->End(result);
  call.reset();
  underway.End();
}

template <typename Call>
void OnComplete(librados::completion_t completion, void* argument) {
  Finish(std::unique_ptr<Call>(static_cast<Call*>(argument)),
         rados_aio_get_return_value(completion));
}

// Hands `call` over to librados, which finishes it with OnComplete. `start(completion)` submits.
template <typename Call, typename Start>
void SubmitCall(std::unique_ptr<Call> call, Start start) {
  call->underway.Begin();
  librados::AioCompletion* completion =
      librados::Rados::aio_create_completion(call.get(), &OnComplete<Call>);
  int result = 0;
  try {
    result = start(completion, *call);
  } catch (const std::exception&) {
    result = -ENOMEM;  // nothing else throws while an operation is put together
  }
  completion->release();
  if (result < 0) return Finish(std::move(call), result);
  (void)call.release();
}

uint64_t BytesOf(const ObjectWrite& write) {
  uint64_t sum = 0;
  for (const ObjectWrite::Step& step : write.steps()) {
    sum += std::visit(Overload{[](const ObjectWrite::WriteStep& each) { return each.bytes.size(); },
                               [](const ObjectWrite::SetEntryStep& each) {
                                 return each.key.size() + each.value.size();
                               },
                               [](const ObjectWrite::SetAttributeStep& each) {
                                 return each.name.size() + each.value.size();
                               },
                               [](const auto&) { return size_t{0}; }},
                      step);
  }
  return sum;
}

timeval ToTimeval(std::chrono::milliseconds time) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(time);
  return {.tv_sec = seconds.count(),
          .tv_usec = std::chrono::duration_cast<std::chrono::microseconds>(time - seconds).count()};
}

// Locks show their holders by addresses of the first wire protocol ("v1:10.0.0.7:0/42"), whichever
// the holder speaks. Without the protocol it is the address that the holder itself knows, and that
// a blocklisting needs to hit it.
std::string WithoutProtocol(const std::string& address) {
  constexpr std::string_view kFirstProtocol = "v1:";
  return address.starts_with(kFirstProtocol) ? address.substr(kFirstProtocol.size()) : address;
}

}  // namespace

struct LibradosStore::Rep {
  Rep(std::unique_ptr<LibradosConnection> the_connection, std::string the_pool,
      std::string the_name_space)
      : connection(std::move(the_connection)),
        pool(std::move(the_pool)),
        name_space(std::move(the_name_space)),
        watches(connection->cluster(), connection->io()) {}

  Status TakeLock(const std::string& object, std::string_view name, std::string_view cookie,
                  std::chrono::milliseconds duration, uint8_t flags, Code code_when_held) {
    return WithoutExceptions([&]() -> Status {
      timeval time = ToTimeval(duration);
      const int result = connection->io().lock_exclusive(object, std::string(name),
                                                         std::string(cookie), "", &time, flags);
      if (result == -EBUSY || result == -EEXIST)
        return Fail(code_when_held, fmt::format("the lock '{}' of {} is held by another client "
                                                "or under another cookie",
                                                name, object));
      return RadosStatus(result, fmt::format("lock {}", object));
    });
  }

  const std::unique_ptr<LibradosConnection> connection;
  const std::string pool;
  const std::string name_space;
  Underway underway;
  Blocklisted blocklisted;
  FreeSpace free;
  std::atomic<uint64_t> writes{0};
  std::atomic<uint64_t> written_bytes{0};
  WatchKeeper watches;
};

Result<std::unique_ptr<LibradosStore>> LibradosStore::Connect(const Options& options) {
  ORRERY_ASSIGN(auto connection, LibradosConnection::Open(options));
  return std::unique_ptr<LibradosStore>(new LibradosStore(
      std::make_unique<Rep>(std::move(connection), options.pool, options.name_space)));
}

LibradosStore::LibradosStore(std::unique_ptr<Rep> rep) : rep_(std::move(rep)) {}

LibradosStore::~LibradosStore() { rep_->underway.WaitForNone(); }

LibradosStore::Traffic LibradosStore::traffic() const {
  return {.writes = rep_->writes.load(), .written_bytes = rep_->written_bytes.load()};
}

void LibradosStore::Submit(std::string_view object, ObjectWrite write, Done done) {
  rep_->writes.fetch_add(1, std::memory_order_relaxed);
  rep_->written_bytes.fetch_add(BytesOf(write), std::memory_order_relaxed);
  SubmitCall(std::make_unique<WriteCall>(rep_->underway, std::string(object), std::move(done)),
             [&](librados::AioCompletion* completion, WriteCall& call) {
               librados::ObjectWriteOperation operation;
               AddSteps(write, operation);
               return rep_->connection->io().aio_operate(call.object, completion, &operation,
                                                         librados::OPERATION_FULL_TRY);
             });
}

void LibradosStore::SubmitRead(std::string_view object, uint64_t offset, size_t bytes,
                               ReadDone done) {
  SubmitCall(std::make_unique<ReadCall>(rep_->underway, std::string(object), std::move(done),
                                        librados::bufferlist()),
             [&](librados::AioCompletion* completion, ReadCall& call) {
               librados::ObjectReadOperation operation;
               // To an OSD a length of nothing means all that there is.
               if (bytes == 0) {
                 operation.assert_exists();
               } else {
                 operation.read(offset, bytes, &call.bytes, nullptr);
               }
               return rep_->connection->io().aio_operate(call.object, completion, &operation,
                                                         nullptr);
             });
}

Result<ObjectStat> LibradosStore::Stat(std::string_view object) {
  return WithoutExceptions([&]() -> Result<ObjectStat> {
    const std::string name(object);
    uint64_t bytes = 0;
    timespec modified{};
    ORRERY_TRY(RadosStatus(rep_->connection->io().stat2(name, &bytes, &modified), "stat " + name));
    const auto since_epoch =
        std::chrono::seconds(modified.tv_sec) + std::chrono::nanoseconds(modified.tv_nsec);
    return ObjectStat{
        .bytes = bytes,
        .modified = std::chrono::system_clock::time_point(
            std::chrono::duration_cast<std::chrono::system_clock::duration>(since_epoch))};
  });
}

Result<std::map<std::string, std::string>> LibradosStore::Attributes(std::string_view object) {
  return WithoutExceptions([&]() -> Result<std::map<std::string, std::string>> {
    const std::string name(object);
    std::map<std::string, librados::bufferlist> found;
    ORRERY_TRY(RadosStatus(rep_->connection->io().getxattrs(name, found), "attributes of " + name));
    std::map<std::string, std::string> attributes;
    for (const auto& [key, value] : found)
      if (!key.starts_with(kLockAttribute)) attributes.emplace(key, ToBytes(value));
    return attributes;
  });
}

Result<EntryPage> LibradosStore::Entries(std::string_view object, std::string_view after,
                                         size_t count) {
  return WithoutExceptions([&]() -> Result<EntryPage> {
    const std::string name(object);
    std::map<std::string, librados::bufferlist> found;
    EntryPage page;
    ORRERY_TRY(RadosStatus(
        rep_->connection->io().omap_get_vals2(name, std::string(after), count, &found, &page.more),
        "entries of " + name));
    for (const auto& [key, value] : found) page.entries.emplace(key, ToBytes(value));
    return page;
  });
}

Result<NamePage> LibradosStore::List(std::string_view cursor, size_t count) {
  return WithoutExceptions([&]() -> Result<NamePage> {
    librados::IoCtx& io = rep_->connection->io();
    librados::ObjectCursor start = io.object_list_begin();
    if (!cursor.empty() && !start.from_str(std::string(cursor)))
      return Fail(Code::kInvalidArgument, "not a cursor of a listing");
    std::vector<librados::ObjectItem> found;
    librados::ObjectCursor next;
    ORRERY_TRY(RadosStatus(io.object_list(start, io.object_list_end(), count, {}, &found, &next),
                           "list the pool " + rep_->pool));
    NamePage page;
    for (librados::ObjectItem& item : found) page.names.push_back(std::move(item.oid));
    if (!io.object_list_is_end(next)) page.cursor = next.to_str();
    return page;
  });
}

Status LibradosStore::Lock(std::string_view object, std::string_view name, std::string_view cookie,
                           std::chrono::milliseconds duration) {
  return rep_->TakeLock(std::string(object), name, cookie, duration, LIBRADOS_LOCK_FLAG_MAY_RENEW,
                        Code::kAlreadyExists);
}

Status LibradosStore::RenewLock(std::string_view object, std::string_view name,
                                std::string_view cookie, std::chrono::milliseconds duration) {
  return rep_->TakeLock(std::string(object), name, cookie, duration, LIBRADOS_LOCK_FLAG_MUST_RENEW,
                        Code::kNotFound);
}

Status LibradosStore::Unlock(std::string_view object, std::string_view name,
                             std::string_view cookie) {
  return WithoutExceptions([&]() -> Status {
    const std::string oid(object);
    return RadosStatus(rep_->connection->io().unlock(oid, std::string(name), std::string(cookie)),
                       "unlock " + oid);
  });
}

Status LibradosStore::BreakLock(std::string_view object, std::string_view name,
                                const LockHolder& holder) {
  return WithoutExceptions([&]() -> Status {
    const std::string oid(object);
    return RadosStatus(
        rep_->connection->io().break_lock(oid, std::string(name), holder.client, holder.cookie),
        "break the lock of " + oid);
  });
}

Result<std::optional<LockHolder>> LibradosStore::HolderOf(std::string_view object,
                                                          std::string_view name) {
  return WithoutExceptions([&]() -> Result<std::optional<LockHolder>> {
    const std::string oid(object);
    std::list<librados::locker_t> lockers;
    const int result =
        rep_->connection->io().list_lockers(oid, std::string(name), nullptr, nullptr, &lockers);
    if (result == -ENOENT) return std::nullopt;
    ORRERY_TRY(RadosStatus(result, "look at the lock of " + oid));
    if (lockers.empty()) return std::nullopt;
    const librados::locker_t& holder = lockers.front();
    return LockHolder{.client = holder.client,
                      .cookie = holder.cookie,
                      .address = WithoutProtocol(holder.address)};
  });
}

std::string LibradosStore::Address() const { return rep_->connection->cluster().get_addrs(); }

Status LibradosStore::Blocklist(const std::string& address) {
  return WithoutExceptions([&]() -> Status {
    constexpr auto kSeconds = std::chrono::seconds(kBlocklistTime).count();
    librados::Rados& cluster = rep_->connection->cluster();
    // An address is one process's for ever. The monitor takes up to a second for each entry that
    // follows another, and a dead manager is found dead twice: as manager and as node.
    if (rep_->blocklisted.Contains(address)) return {};
    ORRERY_TRY(RadosStatus(cluster.blocklist_add(address, static_cast<uint32_t>(kSeconds)),
                           "blocklist " + address));
    // Everything that is asked from here on carries the new map: an OSD that does not know it yet
    // gets it before it answers.
    ORRERY_TRY(
        RadosStatus(cluster.wait_for_latest_osdmap(), "learn of the blocklisted " + address));
    rep_->blocklisted.Add(address);
    return {};
  });
}

Result<std::unique_ptr<ObjectStore::Watch>> LibradosStore::StartWatch(std::string_view object,
                                                                      Heard heard) {
  return rep_->watches.Start(std::string(object), std::move(heard));
}

Status LibradosStore::Notify(std::string_view object, std::string_view payload,
                             std::chrono::milliseconds patience) {
  // A notice has no timeout but its patience, which counts only once it has arrived; looking first
  // finds out whether the object is served.
  ORRERY_TRY(Stat(object));
  return WithoutExceptions([&]() -> Status {
    const std::string name(object);
    librados::bufferlist bytes = ToBuffer(payload);
    librados::bufferlist answers;
    const auto seconds =
        std::max(std::chrono::ceil<std::chrono::seconds>(patience), std::chrono::seconds(1));
    const int result = rep_->connection->io().notify2(
        name, bytes, static_cast<uint64_t>(std::chrono::milliseconds(seconds).count()), &answers);
    // Those who did not hear it in time are listed among the answers.
    if (result == -ETIMEDOUT && answers.length() > 0) return {};
    return RadosStatus(result, "notify " + name);
  });
}

Result<PoolFacts> LibradosStore::Pool() {
  return WithoutExceptions([&]() -> Result<PoolFacts> {
    std::string command = R"({"prefix":"osd pool get","var":"all","format":"json","pool":)";
    model::AppendJsonString(command, rep_->pool);
    ORRERY_ASSIGN(const std::string answer,
                  rep_->connection->AskMonitor(command + "}", "the pool " + rep_->pool));
    return ParsePoolFacts(answer);
  });
}

Status LibradosStore::LookForFreeBytes() {
  return WithoutExceptions([&]() -> Status {
    ORRERY_ASSIGN(const std::string answer,
                  rep_->connection->AskMonitor(
                      R"({"prefix":"df","detail":"detail","format":"json"})", "the free space"));
    ORRERY_ASSIGN(const uint64_t bytes, ParseFreeBytes(answer, rep_->pool));
    rep_->free.Set(bytes);
    return {};
  });
}

std::optional<uint64_t> LibradosStore::FreeBytes() const { return rep_->free.Get(kFreeBytesLast); }

Result<ClusterFacts> LibradosStore::Cluster() {
  return WithoutExceptions([&]() -> Result<ClusterFacts> {
    ORRERY_ASSIGN(const std::string answer,
                  rep_->connection->AskMonitor(R"({"prefix":"status","format":"json"})", "status"));
    return ParseClusterFacts(answer);
  });
}

Result<std::vector<uint32_t>> LibradosStore::CopiesOf(std::string_view object) {
  return WithoutExceptions([&]() -> Result<std::vector<uint32_t>> {
    std::string command = R"({"prefix":"osd map","format":"json","pool":)";
    model::AppendJsonString(command, rep_->pool);
    command += R"(,"nspace":)";
    model::AppendJsonString(command, rep_->name_space);
    command += R"(,"object":)";
    model::AppendJsonString(command, object);
    ORRERY_ASSIGN(const std::string answer,
                  rep_->connection->AskMonitor(command + "}", fmt::format("copies of {}", object)));
    return ParseCopies(answer);
  });
}

}  // namespace orrery::storage::rados
