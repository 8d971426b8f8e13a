// Access policies as the service's XML has them (SignedIdentifiers). Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/table/auth/access_policy.h"
#include "api/table/protocol/error_response.h"

namespace orrery::table {

// InvalidXmlDocument for anything else, for more than kPoliciesMax and for malformed parts. An
// empty text has none.
Outcome<std::vector<AccessPolicy>> ReadPoliciesXml(std::string_view text);
std::string PoliciesXml(const std::vector<AccessPolicy>& policies);

}  // namespace orrery::table
