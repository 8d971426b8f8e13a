// REGEXMATCH.
#include "api/sql/function/native/bodies.h"
#include "api/sql/function/native/native_functions.h"
#include "api/sql/function/regex/regex.h"

namespace orrery::sql {
namespace {

// A pattern or modifiers that are none end the query.
Result<Value> RegexMatch(Arguments arguments, const CallContext&) {
  const std::string* text = TextOf(arguments[0]);
  const std::string* pattern = TextOf(arguments[1]);
  if (text == nullptr || pattern == nullptr) return Value::Undefined();
  RegexFlags flags;
  if (arguments.size() == 3) {
    const std::string* letters = TextOf(arguments[2]);
    if (letters == nullptr) return Value::Undefined();
    ORRERY_ASSIGN(flags, ParseRegexFlags(*letters));
  }
  ORRERY_ASSIGN(const Regex regex, Regex::Compile(*pattern, flags));
  ORRERY_ASSIGN(const bool found, regex.Search(*text));
  return Value::Bool(found);
}

constexpr Function kFunctions[] = {{"REGEXMATCH", 2, 3, RegexMatch}};

}  // namespace

std::span<const Function> RegexFunctions() { return kFunctions; }

}  // namespace orrery::sql
