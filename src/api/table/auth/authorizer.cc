#include "api/table/auth/authorizer.h"

#include <algorithm>
#include <utility>

#include "api/table/auth/access_policy.h"
#include "api/table/entity/edm_value.h"
#include "api/table/entity/etag.h"
#include "net/http/url.h"

namespace orrery::table {
namespace {

using gateway::Access;

std::unexpected<ErrorResponse> Unauthentic(std::string message = {}) {
  return Refuse(ErrorCode::kAuthenticationFailed, std::move(message));
}

// Takes a part from the policy that the signature names, where it has none itself.
Outcome<void> Fill(std::string& part, const std::optional<std::string>& kept) {
  if (!kept.has_value() || kept->empty()) return {};
  if (!part.empty()) {
    return Unauthentic(
        "Server failed to authenticate the request: the signature and the access policy that it "
        "names must not both say the same.");
  }
  part = *kept;
  return {};
}

Outcome<void> ApplyPolicy(Sas& sas, const gateway::ContainerEntry* container) {
  if (sas.identifier.empty()) return {};
  if (container == nullptr) return Unauthentic();
  for (const AccessPolicy& policy : KeptPolicies(container->settings.extra)) {
    if (policy.id != sas.identifier) continue;
    TABLE_TRY(Fill(sas.start, policy.start));
    TABLE_TRY(Fill(sas.expiry, policy.expiry));
    TABLE_TRY(Fill(sas.permissions, policy.permission));
    return {};
  }
  return Unauthentic("Server failed to authenticate the request: the table has no access policy '" +
                     sas.identifier + "'.");
}

Outcome<void> CheckTimes(const Sas& sas, Micros now) {
  const auto ticks = TicksOf(now);
  const auto expiry = ParseEdmDateTime(sas.expiry);
  if (!expiry.has_value() || ticks >= *expiry) {
    return Unauthentic(
        "Server failed to authenticate the request: the signature has expired, or says no time at "
        "which it does.");
  }
  if (sas.start.empty()) return {};
  const auto start = ParseEdmDateTime(sas.start);
  if (!start.has_value() || ticks < *start)
    return Unauthentic(
        "Server failed to authenticate the request: the signature is not valid yet.");
  return {};
}

}  // namespace

const gateway::Accounts* Authorizer::Find(std::string_view name) const {
  const auto found = std::ranges::find_if(
      accounts_, [&](const gateway::Accounts* account) { return account->name() == name; });
  return found == accounts_.end() ? nullptr : *found;
}

Outcome<Grant> Authorizer::Check(const net::HttpRequest& request, const Address& address,
                                 const gateway::ContainerEntry* container) const {
  if (const auto header = request.headers.Find("authorization"); header.has_value()) {
    const auto authorization = ParseAuthorization(*header);
    if (!authorization.has_value()) return Unauthentic();
    if (authorization->scheme == Authorization::Scheme::kBearer)
      return CheckBearer(authorization->signature);
    return CheckSigned(*authorization, request, address);
  }
  if (auto sas = SasOf(request); sas.has_value())
    return CheckSas(*std::move(sas), request, address, container);
  return Refuse(ErrorCode::kNoAuthenticationInformation);
}

Outcome<Grant> Authorizer::CheckBearer(std::string_view key) const {
  for (const gateway::Accounts* account : accounts_) {
    const auto access = account->CheckKey(key);
    if (access.has_value())
      return Grant{.may_write = *access == Access::kReadWrite, .account = account->name()};
  }
  return Unauthentic();
}

Outcome<Grant> Authorizer::CheckSigned(const Authorization& authorization,
                                       const net::HttpRequest& request,
                                       const Address& address) const {
  const gateway::Accounts* const account = Find(authorization.account);
  if (account == nullptr || (!address.account.empty() && address.account != account->name())) {
    return Unauthentic("Server failed to authenticate the request: there is no account '" +
                       authorization.account + "' here.");
  }
  auto access = account->CheckSignature(TextToSign(authorization, request, request.path),
                                        authorization.signature);
  if (!access.has_value()) {
    // Some clients sign the path as it reads.
    if (const auto decoded = net::PercentDecode(request.path);
        decoded.has_value() && *decoded != request.path) {
      access = account->CheckSignature(TextToSign(authorization, request, *decoded),
                                       authorization.signature);
    }
  }
  if (!access.has_value()) return Unauthentic();
  const auto date = SignedDate(request);
  const Micros now = clock_.Now();
  if (!date.has_value() || *date < now - kSignatureSkewMax || *date > now + kSignatureSkewMax) {
    return Unauthentic(
        "Server failed to authenticate the request: the header x-ms-date is missing, or more than "
        "15 minutes from the server's time.");
  }
  return Grant{.may_write = *access == Access::kReadWrite, .account = account->name()};
}

Outcome<Grant> Authorizer::CheckSas(Sas sas, const net::HttpRequest& request,
                                    const Address& address,
                                    const gateway::ContainerEntry* container) const {
  // A path without an account may be of any: the signature says which.
  const gateway::Accounts* account = nullptr;
  Result<Access> access = Fail(Code::kUnauthorized, "");
  for (const gateway::Accounts* candidate : accounts_) {
    if (!address.account.empty() && candidate->name() != address.account) continue;
    access = candidate->CheckSignature(TextToSign(sas, candidate->name()), sas.signature);
    account = candidate;
    if (access.has_value()) break;
  }
  if (!access.has_value()) return Unauthentic();
  if (sas.is_account && sas.services.find('t') == std::string::npos)
    return Refuse(ErrorCode::kAuthorizationServiceMismatch);
  TABLE_TRY(ApplyPolicy(sas, container));
  TABLE_TRY(CheckTimes(sas, clock_.Now()));
  if (!IsAllowedAddress(sas.ip, request.peer))
    return Refuse(ErrorCode::kAuthorizationSourceIPMismatch);
  if (sas.protocol == "https" && !request.tls)
    return Refuse(ErrorCode::kAuthorizationProtocolMismatch);
  return Grant{.may_write = *access == Access::kReadWrite,
               .account = account->name(),
               .is_sas = true,
               .is_account_sas = sas.is_account,
               .permissions = std::move(sas.permissions),
               .resource_types = std::move(sas.resource_types),
               .table = std::move(sas.table),
               .keys = {.first_partition_key = std::move(sas.first_partition_key),
                        .first_row_key = std::move(sas.first_row_key),
                        .last_partition_key = std::move(sas.last_partition_key),
                        .last_row_key = std::move(sas.last_row_key)}};
}

}  // namespace orrery::table
