// Reads Gremlin text, the gremlin-lang grammar of TinkerPop 3.7 with what 3.8 adds, and makes the
// same program of it that a client would send as bytecode.
//
// Names of steps are checked here, their arguments by the planner. Groovy beyond this grammar
// (closures, assignments, Java classes) is refused with a message that names the place.
//
// Thread-safe: each call stands alone.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/gremlin/value/bytecode.h"
#include "api/gremlin/value/value.h"
#include "base/status.h"

namespace orrery::gremlin {

inline constexpr size_t kScriptBytesMax = 64 << 10;
inline constexpr uint32_t kNestingMax = 100;
// Calls in one script, nested ones included.
inline constexpr size_t kScriptCallsMax = 4'000;

// The way in which a traversal ends in text.
enum class Terminal : uint8_t {
  kNone,
  kNext,
  kToList,
  kToSet,
  kIterate,
  kHasNext,
  kTryNext,
  kExplain,
  kToString
};

// A request to the transaction instead of a traversal.
enum class TransactionCall : uint8_t { kNone, kBegin, kCommit, kRollback };

struct ParsedQuery {
  std::string source = "g";  // the name of the traversal source
  Bytecode bytecode{};
  Terminal terminal = Terminal::kNone;
  std::optional<int64_t> next_count{};  // of next(n)
  TransactionCall transaction = TransactionCall::kNone;
};

struct ParserContext {
  ValueMap bindings{};                       // variables
  std::vector<std::string> sources = {"g"};  // names of traversal sources
  int64_t now_ms = 0;                        // datetime()
  std::function<UuidBytes()> new_uuid{};     // UUID()
};

// The queries of a script, none for an empty one; the last one's result is the script's.
// kInvalidArgument says what is wrong and where; kTooLarge beyond kScriptBytesMax.
Result<std::vector<ParsedQuery>> ParseScript(std::string_view text, const ParserContext& context);

}  // namespace orrery::gremlin
