#include "api/sql/handler/list_page.h"

#include <algorithm>
#include <string>
#include <utility>

#include "gateway/account/base64.h"

namespace orrery::sql {
namespace {

const std::string& IdOf(const model::Value& resource) { return resource.Find("id")->AsString(); }

}  // namespace

SqlResult<Reply> ListPage(std::string_view owner_rid, std::string_view name,
                          std::vector<model::Value> resources, const RequestHeaders& headers) {
  std::ranges::sort(resources, {}, IdOf);
  if (!headers.continuation.empty()) {
    std::string last;
    if (!gateway::FromBase64Url(headers.continuation, last))
      return Refuse(400, "the header x-ms-continuation is not what an earlier page said");
    const auto next = std::ranges::upper_bound(resources, last, {}, IdOf);
    resources.erase(resources.begin(), next);
  }
  const size_t most = std::min(headers.items_max.value_or(kListPageMax), kListPageMax);
  const bool more = resources.size() > most;
  if (more) resources.resize(most);
  Reply reply = FeedReply(owner_rid, name, resources);
  if (more) reply.continuation = gateway::ToBase64Url(IdOf(resources.back()));
  return reply;
}

}  // namespace orrery::sql
