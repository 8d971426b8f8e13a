// A QueryContext is what a command fixes for all of its filters, updates and expressions:
// collation, variables, the time, and the hooks to what lies outside of the language.
//
// Immutable once shared; a parsed Matcher, Update or Pipeline keeps it alive.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "api/mongo/language/value/collator.h"
#include "model/value.h"

namespace orrery::mongo {

class ScriptRunner;
}  // namespace orrery::mongo
namespace orrery::query {
class SpillSpace;
}  // namespace orrery::query
namespace orrery::mongo {

// Memory of one blocking stage ($sort, $group, ...) before it fails or spills.
inline constexpr size_t kStageMemoryBytesMax = size_t{100} << 20;
// Nesting of filters and expressions.
inline constexpr int kParseDepthMax = 200;
// Bytes of one document that a client may get.
inline constexpr size_t kDocumentBytesMax = size_t{16} << 20;

// A pseudo-random number in [0, 1). Thread-safe.
class RandomSource {
 public:
  virtual ~RandomSource() = default;
  virtual double Next() = 0;
};

struct QueryContext {
  std::shared_ptr<const Collator> collator;               // nullptr: strings compare by their bytes
  model::Fields variables = {};                           // `let`, evaluated: without "$$"
  int64_t now_unix_ms = 0;                                // $$NOW
  std::optional<model::BsonTimestamp> cluster_time = {};  // $$CLUSTER_TIME
  std::optional<model::Value> user_roles = {};            // $$USER_ROLES
  std::shared_ptr<ScriptRunner> scripts = nullptr;        // $where, $function, $accumulator
  std::shared_ptr<RandomSource> random = nullptr;         // $rand, $sample, $sampleRate
  size_t stage_memory_bytes_max = kStageMemoryBytesMax;
  // The space where blocking stages put what memory does not hold; null: they fail. Must outlive
  // it.
  query::SpillSpace* spill = nullptr;
  // Says whether constant parts that fail to evaluate are refused when they are parsed. Updates
  // fail only on the documents that they change.
  bool refuses_bad_constants = true;
};

using QueryContextPtr = std::shared_ptr<const QueryContext>;

}  // namespace orrery::mongo
