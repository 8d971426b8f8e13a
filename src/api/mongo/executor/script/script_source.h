// The JavaScript around the functions that users write: MongoDB's types and helpers, and the
// conversion of what goes in and comes out (script_codec.h).
#pragma once

#include <string>
#include <string_view>

namespace orrery::mongo {

// Returns the source of a program (script::Form::kFunction) that takes a request as text and
// returns an answer as text:
//   request := {"m": mode, "s": scope, "t": this, "a": values}
//   mode    := "call"   calls the function with the values
//            | "fold"   values are lists of arguments: calls it with the last result (at first
//                       `this`) and each list
//            | "map"    values are documents: calls it on each and gathers what it emits
//   answer  := {"v": value} | {"e": [code, message]}
std::string ScriptSource(std::string_view user_code);

}  // namespace orrery::mongo
