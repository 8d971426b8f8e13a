#include "crash/version_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

namespace orrery::crash {
namespace {

// A write within its transaction.
struct WriteRef {
  const Transaction* transaction = nullptr;
  const Write* write = nullptr;
};

// One state of a key and who made it; the first one is what was there before.
struct Version {
  uint64_t lsn = 0;
  std::optional<Value> value;  // none: not there
  uint64_t began_us = 0;       // of the write that made it
  uint64_t ended_us = 0;
};

class Checker {
 public:
  Checker(const History& history, const std::vector<Change>& changes) : history_(history) {
    for (const Transaction& transaction : history.transactions) {
      for (const Write& write : transaction.writes) Index({&transaction, &write});
    }
    for (const auto& [key, stored] : history.before)
      versions_[key].push_back({stored.lsn, stored.value});
    AssignTokens(changes);
    for (const Change& change : changes) Take(change);
  }

  Violations Finish(const State& after) && {
    CheckAllTold();
    for (const Read& read : history_.reads) CheckRead(read);
    CheckEnd(after);
    return std::move(violations_);
  }

 private:
  template <typename... Args>
  void Report(const Key& key, fmt::format_string<Args...> format, Args&&... args) {
    violations_.push_back(Name(key) + ": " + fmt::format(format, std::forward<Args>(args)...));
  }

  void Index(WriteRef ref) {
    if (!ref.write->token.empty()) by_token_[ref.write->token] = ref;
    if (ref.transaction->outcome == Outcome::kAcknowledged) {
      acknowledged_[{ref.transaction->lsn, ref.write->key}] = ref;
    } else if (ref.transaction->outcome == Outcome::kUnknown &&
               ref.write->kind == WriteKind::kDelete) {
      maybe_deleted_[ref.write->key].push_back(ref);
    }
  }

  // The tokens of a transaction of unknown outcome tell where it happened, if it did. Deletes,
  // which have none, are then known as part of their batch.
  void AssignTokens(const std::vector<Change>& changes) {
    for (const Change& change : changes) {
      if (!change.value) continue;
      const auto found = by_token_.find(change.value->token);
      if (found == by_token_.end() || found->second.transaction->outcome != Outcome::kUnknown)
        continue;
      happened_at_.emplace(found->second.transaction, change.lsn);
    }
  }

  // Returns the writer of a change in the feed; none when nobody can have written it.
  WriteRef FindWriter(const Change& change) {
    if (const auto found = acknowledged_.find({change.lsn, change.key});
        found != acknowledged_.end()) {
      return found->second;
    }
    if (change.value) {
      const auto found = by_token_.find(change.value->token);
      if (found == by_token_.end() || found->second.transaction->outcome != Outcome::kUnknown)
        return {};
      return found->second.write->key == change.key ? found->second : WriteRef{};
    }
    for (const WriteRef& candidate : maybe_deleted_[change.key]) {
      const auto happened = happened_at_.find(candidate.transaction);
      if (candidate.transaction->writes.size() > 1) {
        if (happened != happened_at_.end() && happened->second == change.lsn) return candidate;
      } else if (happened == happened_at_.end()) {
        happened_at_.emplace(candidate.transaction, change.lsn);
        return candidate;
      }
    }
    return {};
  }

  void Take(const Change& change) {
    std::vector<Version>& versions = versions_[change.key];
    if (versions.empty()) versions.emplace_back();
    const Version& last = versions.back();
    if (change.lsn <= last.lsn) {
      Report(change.key, "the feed tells {} after {}", change.lsn, last.lsn);
      return;
    }
    const WriteRef writer = FindWriter(change);
    if (writer.write == nullptr) {
      Report(change.key, "the feed tells '{}' at {}, which nobody wrote",
             change.value ? change.value->token : "a delete", change.lsn);
      return;
    }
    told_.insert(writer.write);
    const auto happened = happened_at_.find(writer.transaction);
    if (happened != happened_at_.end() && happened->second != change.lsn) {
      Report(change.key, "one batch or write is told at {} and at {}", happened->second,
             change.lsn);
    }
    CheckSense(change, *writer.write, last);
    CheckRealTime(change.key, *writer.transaction, change.lsn, versions);
    versions.push_back(
        {change.lsn, change.value, writer.transaction->began_us, writer.transaction->ended_us});
  }

  // The change fits the write that made it and the version it was made on.
  void CheckSense(const Change& change, const Write& write, const Version& last) {
    const bool was_there = last.value.has_value();
    const bool needs_item = write.kind == WriteKind::kReplace || write.kind == WriteKind::kPatch ||
                            write.kind == WriteKind::kDelete;
    if (write.kind == WriteKind::kCreate && was_there) {
      Report(change.key, "created at {} over '{}'", change.lsn, last.value->token);
    }
    if (needs_item && !was_there)
      Report(change.key, "replaced or deleted at {}, when it was not there", change.lsn);
    if (write.if_match && *write.if_match != last.lsn) {
      Report(change.key, "'{}' asked for version {} and replaced {}", write.token, *write.if_match,
             last.lsn);
    }
    const Change::Kind kind = write.kind == WriteKind::kDelete ? Change::Kind::kDelete
                              : was_there                      ? Change::Kind::kReplace
                                                               : Change::Kind::kCreate;
    if (change.kind != kind)
      Report(change.key, "the change at {} is told as another kind", change.lsn);
    if (change.previous_lsn != (was_there ? last.lsn : 0)) {
      Report(change.key, "the version before {} is {}, the feed says {}", change.lsn,
             was_there ? last.lsn : 0, change.previous_lsn);
    }
    if (write.kind == WriteKind::kDelete) return;
    const std::string base =
        write.kind == WriteKind::kPatch && was_there ? last.value->base : write.token;
    if (change.value != Value{write.token, base}) {
      Report(change.key, "'{}' was written on '{}' at {}, the feed has another content",
             write.token, base, change.lsn);
    }
  }

  void CheckRealTime(const Key& key, const Transaction& transaction, uint64_t lsn,
                     const std::vector<Version>& versions) {
    for (const Version& earlier : versions) {
      if (transaction.ended_us < earlier.began_us) {
        Report(key, "{} comes after {} in the order, but ended before that began", lsn,
               earlier.lsn);
      }
    }
  }

  void CheckAllTold() {
    for (const Transaction& transaction : history_.transactions) {
      const auto told = [&](const Write& write) { return told_.contains(&write); };
      const auto count = std::ranges::count_if(transaction.writes, told);
      const bool whole = static_cast<size_t>(count) == transaction.writes.size();
      const Write& first = transaction.writes.front();
      if (transaction.outcome == Outcome::kAcknowledged && !whole) {
        Report(first.key, "'{}', acknowledged at {}, is missing in the feed", first.token,
               transaction.lsn);
      }
      if (transaction.outcome == Outcome::kUnknown && count > 0 && !whole) {
        Report(first.key, "the feed tells only a part of the batch of '{}'", first.token);
      }
    }
  }

  // Some version that the read can have met in its time has what it saw.
  void CheckRead(const Read& read) {
    static const std::vector<Version> kNothing(1);
    const auto found = versions_.find(read.key);
    const std::vector<Version>& versions = found == versions_.end() ? kNothing : found->second;
    for (size_t i = 0; i < versions.size(); ++i) {
      const bool begun = versions[i].began_us <= read.ended_us;
      const bool over =
          std::any_of(versions.begin() + static_cast<ptrdiff_t>(i) + 1, versions.end(),
                      [&](const Version& timers) { return timers.ended_us < read.began_us; });
      const bool same =
          read.found ? versions[i].lsn == read.found->lsn && versions[i].value == read.found->value
                     : !versions[i].value.has_value();
      if (begun && !over && same) return;
    }
    Report(read.key, "a read saw {} at {}, which was not current while it ran",
           read.found ? "'" + read.found->value.token + "'" : "nothing",
           read.found ? read.found->lsn : 0);
  }

  void CheckEnd(const State& after) {
    for (const auto& [key, versions] : versions_) {
      const Version& last = versions.back();
      const auto found = after.find(key);
      if (!last.value) {
        if (found != after.end()) Report(key, "deleted at {}, and still there", last.lsn);
      } else if (found == after.end()) {
        Report(key, "'{}' at {} is the last version told, and is not there", last.value->token,
               last.lsn);
      } else if (found->second.lsn != last.lsn || found->second.value != *last.value) {
        Report(key, "'{}' at {} is stored, '{}' at {} is the last version told",
               found->second.value.token, found->second.lsn, last.value->token, last.lsn);
      }
    }
    for (const auto& [key, stored] : after) {
      if (!versions_.contains(key))
        Report(key, "'{}' is stored, and the feed never told it", stored.value.token);
    }
  }

  const History& history_;
  std::map<std::pair<uint64_t, Key>, WriteRef> acknowledged_;
  std::map<std::string, WriteRef> by_token_;
  std::map<Key, std::vector<WriteRef>> maybe_deleted_;
  std::map<const Transaction*, uint64_t> happened_at_;  // of unknown outcome
  std::map<Key, std::vector<Version>> versions_;
  std::set<const Write*> told_;
  Violations violations_;
};

}  // namespace

Violations CheckVersions(const History& history, const std::vector<Change>& changes,
                         const State& after) {
  return Checker(history, changes).Finish(after);
}

}  // namespace orrery::crash
