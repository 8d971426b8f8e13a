#include "query/run/row_keeper.h"

#include <algorithm>
#include <utility>

#include "query/run/kept_rows.h"

namespace orrery::query {

std::optional<Page> RowKeeper::Find(const PageContext& context, const QueryToken& token) {
  if (token.run == CursorId()) return std::nullopt;
  auto use = registry_.CheckOut(token.run, owner_);
  if (!use.has_value()) return std::nullopt;
  auto* const rows = dynamic_cast<KeptRows*>(&use->run());
  if (rows == nullptr || !IsNewEnough(*rows)) return std::nullopt;
  std::optional<Page> page = rows->MakePage(context, token);
  if (!page.has_value()) return std::nullopt;
  seen_ = rows->seen;
  // After the last page nobody comes back for them.
  if (!page->next.has_value()) return page;
  if ((*std::move(use)).Return().has_value()) page->next->run = token.run;
  return page;
}

void RowKeeper::Keep(Page& page, const std::vector<gateway::SessionPosition>& seen) {
  if (page.kept == nullptr || !page.next.has_value()) return;
  page.kept->seen = seen;
  if (auto asked = gateway::ParseSessionToken(session_); asked.has_value())
    page.kept->asked = *std::move(asked);
  const auto id = registry_.Add(std::move(page.kept), {.owner = owner_});
  if (id.has_value()) page.next->run = *id;
}

bool RowKeeper::IsNewEnough(const KeptRows& rows) const {
  const auto wanted = gateway::ParseSessionToken(session_);
  if (!wanted.has_value()) return false;
  return std::ranges::all_of(*wanted, [&](const gateway::SessionPosition& position) {
    return gateway::RequiredPosition(rows.seen, position.partition, {}) >= position.lsn ||
           gateway::RequiredPosition(rows.asked, position.partition, {}) >= position.lsn;
  });
}

}  // namespace orrery::query
