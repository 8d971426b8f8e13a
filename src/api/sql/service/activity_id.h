// What a request is called in answers and logs: the client's own id for it, or a new one.
#pragma once

#include <string>

#include "net/http/http_message.h"

namespace orrery::sql {

// A UUID. Ids of clients are taken when they look like one; others would be put into headers
// unseen.
std::string ActivityIdOf(const net::HttpRequest& request);

}  // namespace orrery::sql
