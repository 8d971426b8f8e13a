// An Authorizer checks that a request may do what it asks for, by the key or the token that it
// carries.
//
// A key of the account may do everything, or everything that only reads. A resource token may do
// what its permission says with one container or one document, and what a client needs for that:
// read the account, the container and its ranges; and only as long as the permission is there.
//
// Thread-safe.
#pragma once

#include <string_view>

#include "api/sql/http/error_response.h"
#include "api/sql/request/action.h"
#include "api/sql/request/request_headers.h"
#include "api/sql/resource/resource_path.h"
#include "api/sql/user/resource_token.h"
#include "api/sql/user/user_lists.h"
#include "base/clock.h"
#include "gateway/gateway.h"

namespace orrery::sql {

// The credentials of a request. Views of the request.
struct Credentials {
  std::string_view verb;           // as signed
  std::string_view authorization;  // empty: none
  std::string_view ms_date;        // the header x-ms-date; may be empty
  std::string_view date;           // the header date; may be empty
};

class Authorizer {
 public:
  // Both must outlive it.
  Authorizer(const gateway::Gateway& gateway, const Clock& clock)
      : gateway_(gateway), clock_(clock) {}

  // 401 without credentials or with wrong ones, 403 for what they do not allow.
  SqlResult<void> Check(const Credentials& credentials, const ResourcePath& path,
                        const RequestHeaders& headers, Action action);

 private:
  SqlResult<void> CheckGrant(const Grant& grant, const ResourcePath& path,
                             const RequestHeaders& headers, Action action) const;

  const gateway::Gateway& gateway_;
  const Clock& clock_;
  UserLists users_;
};

}  // namespace orrery::sql
