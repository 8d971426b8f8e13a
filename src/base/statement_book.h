// The StatementBook counts requests by their normalised statements: how often, how long, what they
// were charged, and how many partitions they asked.
//
// Each thread notes in a shard of its own few; a statement is normalised when its bytes are met for
// the first time. Bounded: of many statements those are kept that come most often. In memory only,
// without any value that a user wrote.
//
// One for the process, as the log of requests is. Thread-safe.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/request_units.h"

namespace orrery {

// A StatementRun is what one request did.
struct StatementRun {
  Micros took{0};
  RequestUnits charge{};
  uint32_t partitions = 1;  // 0: not known
  bool failed = false;
};

// A StatementName identifies a statement before it is normalised.
struct StatementName {
  std::string_view api;
  std::string_view database;
  std::string_view container;
  std::string_view identity;  // bytes that are the same only for the same statement
};

// The time that is within each: of a request, in microseconds; the last is for all above.
inline constexpr std::array<int64_t, 9> kStatementMicros = {
    100, 500, 1'000, 5'000, 10'000, 50'000, 100'000, 1'000'000, 10'000'000};

struct StatementStatistics {
  std::string api;
  std::string database;
  std::string container;
  std::string text;
  uint64_t count = 0;
  uint64_t failed = 0;
  int64_t micros = 0;      // together
  int64_t micros_max = 0;  // of one
  int64_t hundredths = 0;  // of request units, together
  // Of those whose partitions are known.
  uint64_t known = 0;
  uint64_t partitions = 0;  // together
  uint64_t in_one = 0;      // that asked one
  std::array<uint64_t, kStatementMicros.size() + 1> by_time{};

  StatementStatistics& operator+=(const StatementStatistics& other);
};

inline constexpr size_t kStatementsMax = 500;          // of a shard, and told
inline constexpr size_t kStatementTextMax = 2'048;     // bytes
inline constexpr size_t kStatementIdentitiesMax = 4'096;  // of a shard

// False: nothing is noted.
void SetStatementBook(bool enabled);
bool StatementBookIsOpen();

// Notes it if its identity is known already.
bool NoteKnownStatement(const StatementName& name, const StatementRun& run);
void NoteNewStatement(const StatementName& name, const StatementRun& run, std::string text);
// `text` gives the normalised statement (NormalizeStatement); called when the identity is new.
template <typename Text>
void NoteStatement(const StatementName& name, const StatementRun& run, Text text) {
  if (!StatementBookIsOpen() || NoteKnownStatement(name, run)) return;
  NoteNewStatement(name, run, text());
}

// Those that cost most first.
std::vector<StatementStatistics> ListStatements();
void ClearStatements();

// StatementQuotes says which quotes are around strings, in the language of a statement.
enum class StatementQuotes : uint8_t {
  kSingle,  // 'text'; "name": CQL, $filter
  kBoth,    // 'text' and "text": SQL, Gremlin
};
// Returns the statement with '?' for each value, without comments, with single spaces, cut at
// kStatementTextMax. Lists of values become one.
std::string NormalizeStatement(std::string_view text, StatementQuotes quotes);

}  // namespace orrery
