// The request headers that scripts can read: getRequest().getValue("..").
#pragma once

#include "model/value.h"
#include "net/http/http_message.h"

namespace orrery::sql {

// All but those that let somebody in.
model::Fields ScriptValuesOf(const net::HttpHeaders& headers);

}  // namespace orrery::sql
