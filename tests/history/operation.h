// An Operation is what a client did to one key and was told: the unit of a history.
//
// Plain values. Times are in any unit that all clients share; only their order counts.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace orrery::history {

enum class Kind : uint8_t {
  kRead,
  kWrite,
  kCas,     // writes `value` if the key holds `expected`
  kAppend,  // adds `value` behind a comma; to nothing, `value` alone
  kDelete,
};

enum class Outcome : uint8_t {
  kOk,        // it took effect between `invoked` and `completed`
  kMismatch,  // a cas that looked, found something other than `expected`, and changed nothing
  kFail,      // refused: it had no effect and says nothing
  kUnknown,   // it may have taken effect at any time after `invoked`, may do so yet, or never
};

inline constexpr uint64_t kNever = std::numeric_limits<uint64_t>::max();

// The content of a key; nullopt = absent.
using Content = std::optional<std::string>;

struct Operation {
  uint64_t process = 0;
  Kind kind = Kind::kRead;
  std::string key;
  Content value{};     // written, appended, or seen by a read
  Content expected{};  // by a cas
  // The content that a cas that did not match found, when the server says so.
  std::optional<Content> saw{};
  uint64_t invoked = 0;
  uint64_t completed = kNever;
  Outcome outcome = Outcome::kOk;
  uint64_t line = 0;  // of the file, for reports; 0 = none
};

// For sorting by one of the times; operations of one time stay as they lie in memory.
template <uint64_t Operation::* kTime>
std::pair<uint64_t, const Operation*> By(const Operation* operation) {
  return {operation->*kTime, operation};
}

// Returns the elements that were appended one after the other to make `list`.
std::vector<std::string_view> ElementsOf(std::string_view list);

std::string_view KindName(Kind kind);
std::string_view OutcomeName(Outcome outcome);

// "write \"a\"", "read -> nothing", "cas \"a\" -> \"b\"".
std::string Describe(const Operation& operation);

}  // namespace orrery::history
