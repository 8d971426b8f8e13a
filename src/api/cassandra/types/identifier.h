// How CQL writes names: bare when lower-case and not reserved, else in double quotes.
#pragma once

#include <string>
#include <string_view>

namespace orrery::cassandra {

// Words that cannot be a bare name, in any case. Other keywords (KEY, TTL, TYPE ...) can.
bool IsReservedWord(std::string_view word);

// The name as a statement has to write it to mean exactly it: name, "Name", "a ""quoted"" one".
std::string QuoteIdentifier(std::string_view name);

// A string constant: the text in single quotes, those within doubled.
std::string QuoteString(std::string_view text);

}  // namespace orrery::cassandra
