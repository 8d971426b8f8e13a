// A FaultRule says which requests of clients meet a fault, and what kind, so that users can test
// how their programs retry. Rules exist only in servers that were started with --allow-faults.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/ids.h"
#include "base/status.h"

namespace orrery::gateway {

// The kinds are named after the statuses that the SQL API has for them; every API answers each in
// its own form.
enum class FaultKind : uint8_t {
  kThrottled,    // 429: over the provisioned rate
  kTimeout,      // 408: it took too long
  kGone,         // 410: what the client knows of the partitions is old
  kRetryWith,    // 449: others changed the same at the same time
  kUnavailable,  // 503
  kDelay,        // answered as usual, later
  kCut,          // the connection ends without an answer
  kSlow,         // every read and write of one physical partition takes longer
};
// "429", "408", "410", "449", "503", "delay", "cut", "slow".
std::string_view FaultName(FaultKind kind);
std::optional<FaultKind> FaultOfName(std::string_view name);

enum class FaultApi : uint8_t { kSql, kCassandra, kTable, kMongo, kGremlin };
std::string_view FaultApiName(FaultApi api);  // "sql", "cassandra", ...
std::optional<FaultApi> FaultApiOfName(std::string_view name);

// The families of operations that all APIs have.
enum class FaultOperation : uint8_t {
  kRead,      // of one item by its key
  kQuery,     // of several: queries, scans, feeds
  kWrite,     // of one item
  kBatch,     // several writes
  kScript,    // stored procedures
  kMetadata,  // definitions: databases, containers, indexes, users
};
std::string_view FaultOperationName(FaultOperation operation);  // "read", "query", ...

// A FaultPoint is one request, as rules see it. Views are valid during the call.
struct FaultPoint {
  FaultApi api = FaultApi::kSql;
  std::string_view database{};
  std::string_view container{};
  FaultOperation operation = FaultOperation::kRead;
  std::string_view name{};  // the API's own word for the operation: "find", "INSERT"
};

struct FaultRule {
  static constexpr std::chrono::milliseconds kDelayMax = std::chrono::minutes(1);
  static constexpr std::chrono::milliseconds kSlowMax = std::chrono::seconds(10);
  static constexpr uint32_t kRetryAfterMsMax = 60'000;
  static constexpr size_t kNameBytesMax = 1'024;

  FaultKind kind = FaultKind::kThrottled;

  // The requests that it is about: those of which all that is set here is true.
  std::optional<FaultApi> api{};
  std::string database{};   // empty: any but those of the system
  std::string container{};  // empty: any
  // A family, an API's own word, or "any". Empty: any that reads or writes items.
  std::string operation{};

  // Those of them that meet the fault: after the first `skip`, each with the probability `share`
  // until `count` have. The same seed chooses the same ones of a sequence of requests.
  uint64_t skip = 0;
  double share = 1;
  std::optional<uint64_t> count{};
  uint64_t seed = 0;

  // The request is carried out first, and its answer is lost. Of statuses and kCut.
  bool after = false;
  uint32_t retry_after_ms = 10;        // of kThrottled
  std::chrono::milliseconds delay{0};  // of kDelay and kSlow
  // The SQL API's substatus, or MongoDB's code, instead of the usual one.
  std::optional<int32_t> code{};
  PartitionId partition{};  // of kSlow
};

// kInvalidArgument says what is wrong with it.
Status CheckFaultRule(const FaultRule& rule);

// Returns whether the rule is about such a request.
bool IsAbout(const FaultRule& rule, const FaultPoint& point);

}  // namespace orrery::gateway
