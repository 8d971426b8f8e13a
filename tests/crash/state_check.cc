#include "crash/state_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace orrery::crash {
namespace {

constexpr uint64_t kMicrosPerSecond = 1'000'000;

struct KeyHistory {
  // The last version that is certain: stored before, or acknowledged with the highest LSN.
  uint64_t lsn = 0;
  std::optional<std::string> token;  // none: deleted, or never there
  uint64_t gone_us = kNever;         // the earliest time at which it can have expired
  // Writes whose outcome is unknown, and when one of them can have left nothing.
  std::set<std::string> maybe_tokens;
  uint64_t maybe_gone_us = kNever;
};

void Apply(const Transaction& transaction, const Write& write, KeyHistory& key) {
  // The server takes its time of a write after the request began.
  const uint64_t gone_us = write.kind == WriteKind::kDelete ? 0
                           : write.ttl_s ? transaction.began_us + *write.ttl_s * kMicrosPerSecond
                                         : kNever;
  if (transaction.outcome == Outcome::kUnknown) {
    if (write.kind != WriteKind::kDelete) key.maybe_tokens.insert(write.token);
    key.maybe_gone_us = std::min(key.maybe_gone_us, gone_us);
    return;
  }
  if (transaction.lsn < key.lsn) return;
  key.lsn = transaction.lsn;
  key.token.reset();
  if (write.kind != WriteKind::kDelete) key.token = write.token;
  key.gone_us = gone_us;
}

std::optional<std::string> Judge(const KeyHistory& key, const Stored* found, uint64_t began_us,
                                 uint64_t ended_us) {
  if (found == nullptr) {
    if (!key.token || std::min(key.gone_us, key.maybe_gone_us) <= ended_us) return std::nullopt;
    return fmt::format("lost: '{}' was acknowledged at {} and is not there", *key.token, key.lsn);
  }
  const std::string& shown = found->value.token;
  const std::string acknowledged = key.token.value_or("(deleted)");
  if (found->expires_us && *found->expires_us <= began_us) {
    return fmt::format("'{}' expired at {} and is still shown", shown, *found->expires_us);
  }
  if (found->lsn < key.lsn) {
    return fmt::format("went back: '{}' at {} is shown, '{}' was acknowledged at {}", shown,
                       found->lsn, acknowledged, key.lsn);
  }
  if (found->lsn == key.lsn) {
    if (shown == acknowledged) return std::nullopt;
    return fmt::format("'{}' is shown at {}, where '{}' was acknowledged", shown, found->lsn,
                       acknowledged);
  }
  if (key.maybe_tokens.contains(shown)) return std::nullopt;
  return fmt::format("'{}' at {} was never written, or was refused", shown, found->lsn);
}

// Each item of a batch that nobody else wrote says whether the batch happened.
bool IsWholeOrAbsent(const Transaction& batch, const std::map<Key, int>& writers,
                     const State& after) {
  std::set<bool> happened;
  for (const Write& write : batch.writes) {
    if (writers.at(write.key) > 1 || write.ttl_s || write.kind == WriteKind::kDelete) continue;
    const auto found = after.find(write.key);
    happened.insert(found != after.end() && found->second.value.token == write.token);
  }
  return happened.size() < 2;
}

}  // namespace

Violations CheckState(const History& history, const State& after, uint64_t began_us,
                      uint64_t ended_us) {
  std::map<Key, KeyHistory> keys;
  std::map<Key, int> writers;
  for (const auto& [key, stored] : history.before) {
    keys[key] = {.lsn = stored.lsn,
                 .token = stored.value.token,
                 .gone_us = stored.expires_us.value_or(kNever),
                 .maybe_tokens = {}};
  }
  for (const Transaction& transaction : history.transactions) {
    if (transaction.outcome == Outcome::kRefused) continue;
    for (const Write& write : transaction.writes) {
      Apply(transaction, write, keys[write.key]);
      ++writers[write.key];
    }
  }
  for (const auto& [key, stored] : after) keys.try_emplace(key);

  Violations violations;
  for (const auto& [key, expected] : keys) {
    const auto found = after.find(key);
    if (const auto wrong =
            Judge(expected, found == after.end() ? nullptr : &found->second, began_us, ended_us)) {
      violations.push_back(Name(key) + ": " + *wrong);
    }
  }
  for (const Transaction& transaction : history.transactions) {
    if (transaction.outcome == Outcome::kUnknown && !IsWholeOrAbsent(transaction, writers, after)) {
      violations.push_back(fmt::format("{}: only a part of the batch of '{}' is there",
                                       Name(transaction.writes[0].key),
                                       transaction.writes[0].token));
    }
  }
  return violations;
}

}  // namespace orrery::crash
