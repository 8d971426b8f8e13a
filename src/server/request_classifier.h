// Port 8081 has two tenants: the SQL API and the portal (health, metrics, admin interface). This
// says whose a request is.
#pragma once

#include "net/http/http_message.h"

namespace orrery::server {

// The SQL API's are databases, offers and what is below them, addresses of Direct mode, and the root
// for those who sign their requests. Everything else is the portal's, which also says what is nowhere.
bool IsForSqlApi(const net::HttpRequest& request);

}  // namespace orrery::server
