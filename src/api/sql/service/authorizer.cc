#include "api/sql/service/authorizer.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "api/sql/auth/authorization.h"
#include "api/sql/auth/emulator_token.h"
#include "api/sql/handler/finder.h"
#include "api/sql/request/partition_key_text.h"

namespace orrery::sql {
namespace {

constexpr size_t kContainerSteps = 2;

std::unexpected<ErrorResponse> Forbidden(std::string why) {
  return Refuse(403, "Insufficient permissions provided in the authorization header: " + why);
}

std::vector<std::string> SegmentsOf(std::string_view link) {
  std::vector<std::string> segments;
  while (!link.empty()) {
    const size_t slash = std::min(link.find('/'), link.size());
    if (slash > 0) segments.emplace_back(link.substr(0, slash));
    link.remove_prefix(std::min(slash + 1, link.size()));
  }
  return segments;
}

// The container that a path goes through, whether by names or by rids.
std::optional<ContainerId> ContainerOf(const Finder& finder, const ResourcePath& path) {
  if (path.steps.size() < kContainerSteps || path.steps[1].type != ResourceType::kContainer)
    return std::nullopt;
  const auto found = finder.Container(path, {});
  if (!found.has_value()) return std::nullopt;
  return found->container->id;
}

// Returns whether every bearer of a token for something in a container needs to see this.
bool IsGroundwork(const ResourcePath& path, Action action) {
  if (action == Action::kResolveAddresses) return true;
  return OnlyReads(action) &&
         (path.type == ResourceType::kContainer || path.type == ResourceType::kPartitionKeyRange);
}

SqlResult<void> CheckAccess(gateway::Access access, Action action) {
  if (access == gateway::Access::kReadOnly && !OnlyReads(action))
    return Forbidden("this key may only read; use a read-write key");
  return {};
}

}  // namespace

SqlResult<void> Authorizer::Check(const Credentials& credentials, const ResourcePath& path,
                                  const RequestHeaders& headers, Action action) {
  if (credentials.authorization.empty()) {
    return Refuse(401,
                  "Required Header authorization is missing. Ensure a valid Authorization token is "
                  "passed.");
  }
  SQL_ASSIGN(const Authorization authorization, ParseAuthorization(credentials.authorization));
  switch (authorization.type) {
    case TokenType::kMaster: {
      SQL_ASSIGN(const gateway::Access access, CheckSignature(gateway_.accounts(), authorization,
                                                              {.verb = credentials.verb,
                                                               .path = path,
                                                               .ms_date = credentials.ms_date,
                                                               .date = credentials.date},
                                                              clock_.Now()));
      return CheckAccess(access, action);
    }
    case TokenType::kResource: {
      SQL_ASSIGN(const Grant grant,
                 CheckToken(gateway_.accounts(), authorization.signature, clock_.Now()));
      if (!users_.StillGrants(*gateway_.catalog().snapshot(), grant))
        return Forbidden("the permission was changed or deleted; read it for a new token");
      return CheckGrant(grant, path, headers, action);
    }
    case TokenType::kEntra: {
      SQL_ASSIGN(const gateway::Access access,
                 CheckEmulatorToken(gateway_.accounts(), authorization.signature, clock_.Now()));
      return CheckAccess(access, action);
    }
  }
  return Refuse(401, "the type of the authorization token is not known");
}

SqlResult<void> Authorizer::CheckGrant(const Grant& grant, const ResourcePath& path,
                                       const RequestHeaders& headers, Action action) const {
  if (path.type == ResourceType::kAccount) return {};
  if (!grant.all && !OnlyReads(action)) return Forbidden("the permission is to read only");
  const auto granted = ParseResourcePath(SegmentsOf(grant.resource));
  if (!granted.has_value()) return Forbidden("the permission is for no resource");
  const Finder finder(gateway_.catalog());
  const auto container = ContainerOf(finder, path);
  if (!container.has_value() || container != ContainerOf(finder, *granted))
    return Forbidden("the permission is for another resource");
  if (IsGroundwork(path, action)) return {};
  // A container can be read by its token, and deleted or changed by none.
  if (path.type == ResourceType::kContainer) return Forbidden("this takes an account key");
  const bool of_container = granted->steps.size() == kContainerSteps;
  if (!of_container) {
    const bool same =
        path.steps.size() == granted->steps.size() && path.steps.back() == granted->steps.back();
    if (!same) return Forbidden("the permission is for another resource");
  }
  if (!grant.key.has_value()) {
    // A name is a document's under each partition key; a resource id is one document's.
    if (!of_container && granted->type == ResourceType::kDocument && !IsOfResourceIds(*granted)) {
      return Forbidden(
          "the permission names a document, but not its partition key: create it with a "
          "resourcePartitionKey");
    }
    return {};
  }
  const auto key = PartitionKeyFrom(*grant.key);
  if (!key.has_value() || headers.partition_key != *key)
    return Forbidden("the permission is for one partition key, which the request does not name");
  // Scripts run for the whole container: whoever may write one could act on other keys through it.
  const bool within_key = path.type == ResourceType::kDocument || action == Action::kExecute;
  if (!within_key)
    return Forbidden("the permission is for documents of one partition key; use an account key");
  return {};
}

}  // namespace orrery::sql
