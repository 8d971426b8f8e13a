// Headers that item, scan and feed answers share, named as the SQL API names them.
#pragma once

#include <string_view>

#include "gateway/gateway.h"
#include "net/http/http_message.h"

namespace orrery::portal {

inline void AddCharge(net::HttpResponse& response, RequestUnits charge) {
  response.headers.Add("x-ms-request-charge", charge.ToString());
}

// Nothing for an empty token.
inline void AddSession(net::HttpResponse& response, std::string_view session) {
  if (!session.empty()) response.headers.Add("x-ms-session-token", session);
}

}  // namespace orrery::portal
