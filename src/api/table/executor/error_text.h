// The texts of errors and preferences, which answers and the parts of a batch's answer share. Pure.
#pragma once

#include <string>
#include <string_view>

#include "api/table/protocol/error_code.h"
#include "api/table/protocol/request_options.h"
#include "base/clock.h"

namespace orrery::table {

// The message as clients get it: with the request's id and the time behind it.
std::string ErrorText(std::string_view message, std::string_view request_id, Micros now);
// {"odata.error":{"code":..,"message":{"lang":"en-US","value":..}}}, in one line.
std::string ErrorJson(ErrorCode code, std::string_view text);
// The value of Preference-Applied; empty for none.
std::string_view PreferenceText(Preference preference);

}  // namespace orrery::table
