// A history is what clients asked of one container and were told, and what was read back
// afterwards. Plain data, kept outside the server; nothing here is its code.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace orrery::crash {

struct Key {
  std::string partition;
  std::string id;
  friend auto operator<=>(const Key&, const Key&) = default;
};

// Every write carries a token of its own, so that a version tells who wrote it. A patch changes the
// token and leaves the rest as the last whole write, the base, made it.
struct Value {
  std::string token;
  std::string base;
  friend bool operator==(const Value&, const Value&) = default;
};

struct Stored {
  uint64_t lsn = 0;
  Value value;
  std::optional<uint64_t> expires_us;  // of an item with a lifetime
  friend bool operator==(const Stored&, const Stored&) = default;
};
using State = std::map<Key, Stored>;

enum class WriteKind { kCreate, kUpsert, kReplace, kPatch, kDelete };

struct Write {
  WriteKind kind = WriteKind::kUpsert;
  Key key;
  std::string token;  // none for a delete
  std::optional<uint64_t> if_match;
  std::optional<uint32_t> ttl_s;
};

// kUnknown: no answer came, or one that does not say. It may have happened, all of it, or not.
enum class Outcome { kUnknown, kAcknowledged, kRefused };

constexpr uint64_t kNever = UINT64_MAX;

// One request: a single write or a batch of one logical partition. A batch writes each key once and
// begins with a write that has a token.
struct Transaction {
  std::vector<Write> writes;
  uint64_t began_us = 0;
  uint64_t ended_us = kNever;
  Outcome outcome = Outcome::kUnknown;
  uint64_t lsn = 0;  // when acknowledged
};

struct Read {
  Key key;
  uint64_t began_us = 0;
  uint64_t ended_us = 0;
  std::optional<Stored> found;
};

struct History {
  State before;  // what was stored, for certain, when it began
  std::vector<Transaction> transactions;
  std::vector<Read> reads;
};

// One entry of the all-versions feed.
struct Change {
  enum class Kind { kCreate, kReplace, kDelete, kExpire };
  Kind kind = Kind::kCreate;
  Key key;
  uint64_t lsn = 0;
  uint64_t previous_lsn = 0;   // 0: none
  std::optional<Value> value;  // of a create or replace
};

// The findings of a check, one line each; empty when there are none.
using Violations = std::vector<std::string>;

inline std::string Name(const Key& key) { return key.partition + "/" + key.id; }

}  // namespace orrery::crash
