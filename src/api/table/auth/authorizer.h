// An Authorizer decides what the bearer of a request's credentials may do: a signature with a key
// of an account, a shared access signature, or the key itself.
//
// Thread-safe. All must outlive it.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/table/auth/grant.h"
#include "api/table/auth/sas.h"
#include "api/table/auth/shared_key.h"
#include "api/table/protocol/address.h"
#include "base/clock.h"
#include "gateway/account/accounts.h"
#include "gateway/catalog/catalog_entries.h"
#include "net/http/http_message.h"

namespace orrery::table {

class Authorizer {
 public:
  // Names of different accounts differ. The first is that of requests whose path names none.
  Authorizer(std::span<const gateway::Accounts* const> accounts, const Clock& clock)
      : accounts_(accounts.begin(), accounts.end()), clock_(clock) {}

  // `container`: of the table that the request is about, or null; its policies are those that a
  // signature may refer to. 401 or 403 with the reason.
  Outcome<Grant> Check(const net::HttpRequest& request, const Address& address,
                       const gateway::ContainerEntry* container) const;

 private:
  Outcome<Grant> CheckSigned(const Authorization& authorization, const net::HttpRequest& request,
                             const Address& address) const;
  Outcome<Grant> CheckBearer(std::string_view key) const;
  Outcome<Grant> CheckSas(Sas sas, const net::HttpRequest& request, const Address& address,
                          const gateway::ContainerEntry* container) const;
  // Null if there is none.
  const gateway::Accounts* Find(std::string_view name) const;

  const std::vector<const gateway::Accounts*> accounts_;
  const Clock& clock_;
};

}  // namespace orrery::table
