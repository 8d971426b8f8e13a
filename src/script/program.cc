#include "script/program.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "script/limits.h"
#include "script/pattern_limit.h"

namespace orrery::script {
namespace {

bool IsLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
}

// Reserved words are left to the compiler. This only keeps what is no name at all, such as
// "a = steal()", from being read as source.
bool IsIdentifier(std::string_view name) {
  return !name.empty() && IsLetter(name.front()) &&
         std::ranges::all_of(name, [](char c) { return IsLetter(c) || (c >= '0' && c <= '9'); });
}

}  // namespace

Result<ProgramRef> MakeProgram(Program program) {
  if (program.source.size() > kSourceBytesMax) {
    return Fail(Code::kTooLarge, fmt::format("the source has {} bytes, at most {} are allowed",
                                             program.source.size(), kSourceBytesMax));
  }
  if (MayHoldLongPattern(program.source)) {
    return Fail(Code::kInvalidArgument,
                fmt::format("a line may have at most {} characters between slashes: it could be a "
                            "regular expression",
                            kPatternCharsMax));
  }
  if (program.parameters.size() > kParametersMax) {
    return Fail(Code::kInvalidArgument,
                fmt::format("at most {} parameters are allowed", kParametersMax));
  }
  if (program.form == Form::kFunction && !program.parameters.empty()) {
    return Fail(Code::kInvalidArgument, "a function expression names its parameters itself");
  }
  for (const std::string& name : program.parameters) {
    if (!IsIdentifier(name)) {
      return Fail(Code::kInvalidArgument,
                  fmt::format("'{}' is no name for a JavaScript parameter", name));
    }
  }
  return std::make_shared<const Program>(std::move(program));
}

}  // namespace orrery::script
