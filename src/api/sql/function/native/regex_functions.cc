// REGEXMATCH.
#include "api/sql/function/native/bodies.h"
#include "api/sql/function/native/native_functions.h"
#include "api/sql/function/text/regex_pattern.h"

namespace orrery::sql {
namespace {

// An invalid pattern or modifier ends the query.
Result<Value> RegexMatch(Arguments arguments, const CallContext&) {
  const std::string* text = TextOf(arguments[0]);
  const std::string* pattern = TextOf(arguments[1]);
  if (text == nullptr || pattern == nullptr) return Value::Undefined();
  std::string_view modifiers;
  if (arguments.size() == 3) {
    const std::string* letters = TextOf(arguments[2]);
    if (letters == nullptr) return Value::Undefined();
    modifiers = *letters;
  }
  ORRERY_ASSIGN(const model::Regex regex, CompileRegex(*pattern, modifiers));
  ORRERY_ASSIGN(const bool found, regex.Search(*text));
  return Value::Bool(found);
}

constexpr Function kRegexFunctions[] = {{"REGEXMATCH", 2, 3, RegexMatch}};

}  // namespace

std::span<const Function> RegexFunctions() { return kRegexFunctions; }

}  // namespace orrery::sql
