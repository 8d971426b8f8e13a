// A RowKeeper keeps the rows behind a page in a CursorRegistry, and finds them again by the token
// of the page: for protocols without state, whose queries would be computed again for every page.
//
// Nothing depends on it. Where the rows are gone, or the registry has no room, the page is computed
// again from the same token, and is the same.
//
// Lives for one page, on one thread. All must outlive it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gateway/position/session_token.h"
#include "query/cursor/cursor_registry.h"
#include "query/run/page_run.h"

namespace orrery::query {

class RowKeeper {
 public:
  // `owner` says all that is asked, so that rows are only given to who asks the same. `session` is
  // the client's token: rows that are older than what it has seen are not given.
  RowKeeper(CursorRegistry& registry, std::string owner, std::string_view session)
      : registry_(registry), owner_(std::move(owner)), session_(session) {}

  // Makes the page of kept rows. Nullopt if it has to be computed; what was written by then is to
  // be thrown away.
  std::optional<Page> Find(const PageContext& context, const QueryToken& token);
  // The positions of each partition that the query had seen, of a page that was found.
  const std::vector<gateway::SessionPosition>& seen() const { return seen_; }

  // Keeps the rows that were made with a page, seen at these positions, and has its token name
  // them.
  void Keep(Page& page, const std::vector<gateway::SessionPosition>& seen);

 private:
  // Returns whether the rows were made after all that the client has seen since.
  bool IsNewEnough(const KeptRows& rows) const;

  CursorRegistry& registry_;
  const std::string owner_;
  const std::string_view session_;
  std::vector<gateway::SessionPosition> seen_;
};

}  // namespace orrery::query
