// Checks whether source text could hold a regular expression longer than kPatternCharsMax.
//
// The engine compiles a regular expression in one go, without looking at limits, and with some
// kilobytes for each of its characters; when it gets no more memory there, it ends the process. So
// patterns must be short before it sees them. Those that are made of strings are examined in the
// realm (spidermonkey/realm_source.h), literals here, in programs and in what scripts evaluate.
#pragma once

#include <string_view>

namespace orrery::script {

// A literal stands on one line, between two slashes: true when any line has more than that between
// its first and its last. So of lines that long only those without slashes are sure to pass.
bool MayHoldLongPattern(std::string_view source);

}  // namespace orrery::script
