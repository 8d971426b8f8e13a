// CQL values as JSON: what SELECT JSON and toJson() give, what INSERT JSON and fromJson() take.
//
// Numbers and booleans are bare, NaN and infinities null; blobs "0x...", timestamps
// "2011-02-03 04:05:06.789Z", everything else native in its text; the empty value "". Lists, sets,
// tuples and vectors are arrays, maps and UDTs objects: keys that are no strings are the string of
// their JSON, names with upper-case letters have quotes of their own.
//
// Reading takes all that, numbers and booleans as strings too, a whole collection as a string of
// its JSON, and keeps every digit. Errors are kInvalidArgument in the sense of Cassandra's texts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/cassandra/types/json/json_value.h"
#include "api/cassandra/types/type.h"
#include "base/status.h"

namespace orrery::cassandra {

Result<std::string> ToJson(const Type& type, std::string_view bytes);

// nullopt for JSON's null. Sets and maps come out normalised. `now_ms` is what the timestamp "now"
// stands for.
Result<std::optional<std::string>> FromJson(const Type& type, const JsonValue& json,
                                            int64_t now_ms);

// A column's or field's name as an object has it: name, or "\"Name\"" when case matters. With the
// quotes of a JSON string.
std::string JsonName(std::string_view name);

// The text of INSERT JSON: its members under the names they mean, lower-case unless they have
// quotes of their own. kInvalidArgument when it is no object.
Result<std::vector<JsonMember>> ParseJsonRow(std::string_view text);

}  // namespace orrery::cassandra
