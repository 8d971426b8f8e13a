#include "storage/rados/object/memory_cluster.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "base/overload.h"

namespace orrery::storage::rados {
namespace {

std::unexpected<Error> Missing(const std::string& object) {
  return Fail(Code::kNotFound, fmt::format("there is no object '{}'", object));
}

bool Matches(const std::map<std::string, std::string>& values, const std::string& name,
             const std::string& expected) {
  const auto found = values.find(name);
  return found != values.end() && found->second == expected;
}

}  // namespace

// A touch by a client that may is how an object hears of blocklistings.
Status MemoryCluster::Admit(const std::string& address, const std::string& object) {
  const auto listed = blocklist_.find(address);
  if (listed == blocklist_.end()) {
    if (!blocklist_.empty()) heard_[object] = blocklist_.size();
    return {};
  }
  const auto heard = heard_.find(object);
  if (heard == heard_.end() || heard->second < listed->second) return {};
  return Fail(Code::kFenced, fmt::format("client {} is blocklisted", address));
}

Result<MemoryCluster::Object*> MemoryCluster::Find(const std::string& address,
                                                   const std::string& object) {
  ORRERY_TRY(Admit(address, object));
  const auto found = objects_.find(object);
  if (found == objects_.end()) return Missing(object);
  return &found->second;
}

Status MemoryCluster::Check(const std::string& object, const ObjectWrite& write) {
  const auto found = objects_.find(object);
  const Object* now = found == objects_.end() ? nullptr : &found->second;
  bool exists = now != nullptr;
  uint64_t added = 0;
  for (const ObjectWrite::Step& step : write.steps()) {
    ORRERY_TRY(std::visit(
        Overload{[&](const ObjectWrite::RequireExists&) -> Status {
                   if (now == nullptr) return Missing(object);
                   return {};
                 },
                 [&](const ObjectWrite::RequireAttributeStep& required) -> Status {
                   if (now == nullptr) return Missing(object);
                   if (Matches(now->attributes, required.name, required.value)) return {};
                   return Fail(
                       Code::kPreconditionFailed,
                       fmt::format("attribute '{}' of '{}' is another", required.name, object));
                 },
                 [&](const ObjectWrite::RequireEntryStep& required) -> Status {
                   if (now == nullptr) return Missing(object);
                   if (Matches(now->entries, required.key, required.value)) return {};
                   if (required.value.empty() && !now->entries.contains(required.key)) return {};
                   return Fail(Code::kPreconditionFailed,
                               fmt::format("entry '{}' of '{}' is another", required.key, object));
                 },
                 [&](const ObjectWrite::CreateStep& create) -> Status {
                   if (create.exclusive && exists)
                     return Fail(Code::kAlreadyExists, fmt::format("there is a '{}'", object));
                   exists = true;
                   return {};
                 },
                 [&](const ObjectWrite::WriteStep& bytes) -> Status {
                   exists = true;
                   added += bytes.bytes.size();
                   return {};
                 },
                 [&](const ObjectWrite::RemoveStep&) -> Status {
                   if (!exists) return Missing(object);
                   exists = false;
                   return {};
                 },
                 [&](const auto&) -> Status {
                   exists = true;
                   return {};
                 }},
        step));
  }
  if (added > 0 && bytes_ + added > bytes_max_)
    return Fail(Code::kResourceExhausted, "the pool is full");
  return {};
}

void MemoryCluster::Resize(Object& object, size_t bytes) {
  bytes_ += bytes;
  bytes_ -= object.bytes.size();
  object.bytes.resize(bytes, '\0');
}

void MemoryCluster::Do(const std::string& name, const ObjectWrite::Step& step) {
  if (std::holds_alternative<ObjectWrite::RemoveStep>(step)) {
    Resize(objects_[name], 0);
    objects_.erase(name);
    return;
  }
  Object& object = objects_[name];
  if (const auto* write = std::get_if<ObjectWrite::WriteStep>(&step)) {
    const size_t end = write->offset + write->bytes.size();
    if (end > object.bytes.size()) Resize(object, end);
    object.bytes.replace(write->offset, write->bytes.size(), write->bytes);
  } else if (const auto* cut = std::get_if<ObjectWrite::TruncateStep>(&step)) {
    Resize(object, cut->bytes);
  } else if (const auto* attribute = std::get_if<ObjectWrite::SetAttributeStep>(&step)) {
    object.attributes[attribute->name] = attribute->value;
  } else if (const auto* bare = std::get_if<ObjectWrite::RemoveAttributeStep>(&step)) {
    object.attributes.erase(bare->name);
  } else if (const auto* entry = std::get_if<ObjectWrite::SetEntryStep>(&step)) {
    object.entries[entry->key] = entry->value;
  } else if (const auto* gone = std::get_if<ObjectWrite::RemoveEntryStep>(&step)) {
    object.entries.erase(gone->key);
  }
}

Status MemoryCluster::Apply(const std::string& address, const std::string& object,
                            const ObjectWrite& write) {
  MutexLock lock(mutex_);
  ORRERY_TRY(Admit(address, object));
  ORRERY_TRY(Check(object, write));
  for (const ObjectWrite::Step& step : write.steps()) Do(object, step);
  if (const auto found = objects_.find(object); found != objects_.end())
    found->second.modified = std::chrono::system_clock::time_point(clock_.Now());
  return {};
}

Result<std::string> MemoryCluster::Read(const std::string& address, const std::string& object,
                                        uint64_t offset, size_t bytes) {
  MutexLock lock(mutex_);
  ORRERY_ASSIGN(const Object* found, Find(address, object));
  if (offset >= found->bytes.size()) return std::string();
  return found->bytes.substr(offset, bytes);
}

Result<ObjectStat> MemoryCluster::Stat(const std::string& address, const std::string& object) {
  MutexLock lock(mutex_);
  ORRERY_ASSIGN(const Object* found, Find(address, object));
  return ObjectStat{.bytes = found->bytes.size(), .modified = found->modified};
}

Result<std::map<std::string, std::string>> MemoryCluster::Attributes(const std::string& address,
                                                                     const std::string& object) {
  MutexLock lock(mutex_);
  ORRERY_ASSIGN(const Object* found, Find(address, object));
  return found->attributes;
}

Result<EntryPage> MemoryCluster::Entries(const std::string& address, const std::string& object,
                                         const std::string& after, size_t count) {
  MutexLock lock(mutex_);
  ORRERY_ASSIGN(const Object* found, Find(address, object));
  EntryPage page;
  auto it = after.empty() ? found->entries.begin() : found->entries.upper_bound(after);
  for (; it != found->entries.end() && page.entries.size() < count; ++it) page.entries.insert(*it);
  page.more = it != found->entries.end();
  return page;
}

Result<NamePage> MemoryCluster::List(const std::string& cursor, size_t count) {
  MutexLock lock(mutex_);
  NamePage page;
  auto it = cursor.empty() ? objects_.begin() : objects_.upper_bound(cursor);
  for (; it != objects_.end() && page.names.size() < count; ++it) page.names.push_back(it->first);
  if (it != objects_.end() && !page.names.empty()) page.cursor = page.names.back();
  return page;
}

MemoryCluster::HeldLock* MemoryCluster::ValidLock(Object& object, const std::string& name) {
  const auto found = object.locks.find(name);
  if (found == object.locks.end()) return nullptr;
  if (found->second.expires > clock_.Now()) return &found->second;
  object.locks.erase(found);
  return nullptr;
}

Status MemoryCluster::Lock(const std::string& address, const std::string& object,
                           const LockRequest& request) {
  MutexLock lock(mutex_);
  ORRERY_TRY(Admit(address, object));
  if (request.renew_only && !objects_.contains(object)) return Missing(object);
  Object& locked = objects_[object];
  const HeldLock* held = ValidLock(locked, request.name);
  const bool mine =
      held != nullptr && held->holder.address == address && held->holder.cookie == request.cookie;
  if (request.renew_only && !mine)
    return Fail(Code::kNotFound, fmt::format("the lock '{}' is lost", request.name));
  if (held != nullptr && !mine)
    return Fail(Code::kAlreadyExists, fmt::format("another has the lock '{}'", request.name));
  locked.locks[request.name] =
      HeldLock{.holder = {.client = address, .cookie = request.cookie, .address = address},
               .expires = clock_.Now() + request.duration};
  return {};
}

Status MemoryCluster::Unlock(const std::string& address, const std::string& object,
                             const std::string& name, const std::string& cookie) {
  return BreakLock(address, object, name, {.client = "", .cookie = cookie, .address = address});
}

Status MemoryCluster::BreakLock(const std::string& address, const std::string& object,
                                const std::string& name, const LockHolder& holder) {
  MutexLock lock(mutex_);
  ORRERY_ASSIGN(Object * locked, Find(address, object));
  const HeldLock* held = ValidLock(*locked, name);
  if (held == nullptr || held->holder.address != holder.address ||
      held->holder.cookie != holder.cookie)
    return Fail(Code::kNotFound, fmt::format("the lock '{}' is not held", name));
  locked->locks.erase(name);
  return {};
}

Result<std::optional<LockHolder>> MemoryCluster::HolderOf(const std::string& object,
                                                          const std::string& name) {
  MutexLock lock(mutex_);
  const auto found = objects_.find(object);
  if (found == objects_.end()) return std::nullopt;
  const HeldLock* held = ValidLock(found->second, name);
  if (held == nullptr) return std::nullopt;
  return held->holder;
}

void MemoryCluster::Blocklist(const std::string& address) {
  MutexLock lock(mutex_);
  blocklist_.try_emplace(address, blocklist_.size() + 1);
}

Result<MemoryCluster::WatchId> MemoryCluster::StartWatch(const std::string& object, Heard heard) {
  MutexLock lock(mutex_);
  const auto found = objects_.find(object);
  if (found == objects_.end()) return Missing(object);
  found->second.watches.emplace(++last_watch_, std::move(heard));
  return last_watch_;
}

void MemoryCluster::EndWatch(const std::string& object, WatchId watch) {
  MutexLock lock(mutex_);
  const auto found = objects_.find(object);
  if (found != objects_.end()) found->second.watches.erase(watch);
}

Result<std::vector<MemoryCluster::Heard>> MemoryCluster::Watchers(const std::string& object) {
  MutexLock lock(mutex_);
  const auto found = objects_.find(object);
  if (found == objects_.end()) return Missing(object);
  std::vector<Heard> watchers;
  for (const auto& [id, heard] : found->second.watches) watchers.push_back(heard);
  return watchers;
}

void MemoryCluster::SetBytesMax(uint64_t bytes) {
  MutexLock lock(mutex_);
  bytes_max_ = bytes;
}

std::vector<std::string> MemoryCluster::Names() const {
  MutexLock lock(mutex_);
  std::vector<std::string> names;
  for (const auto& [name, object] : objects_) names.push_back(name);
  return names;
}

uint64_t MemoryCluster::bytes() const {
  MutexLock lock(mutex_);
  return bytes_;
}

std::string MemoryCluster::NewAddress() {
  MutexLock lock(mutex_);
  return fmt::format("client.{}", ++last_client_);
}

}  // namespace orrery::storage::rados
