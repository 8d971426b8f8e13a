// An EntryJudge makes of an index's entry what a query would see of its document, and says whether
// the query's conditions on that are true.
//
// For one run of a query, on one thread. What index/entry_use.h found must outlive it, and so must
// the calls.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "api/sql/evaluate/bound_expression.h"
#include "api/sql/query/index/entry_use.h"
#include "gateway/requests.h"

namespace orrery::sql {

class EntryJudge {
 public:
  EntryJudge(const EntryUse& use, const item::ContainerSchema& schema,
             const PredicateContext& context, const CallContext& calls);

  // The document as far as the query looks at it. Nothing where the entry does not say it all: its
  // value is cut, or written in another way than it was stored.
  std::optional<model::Value> DocumentOf(const item::ItemKey& key, std::string_view value) const;

  // Whether the conditions are true of such a document. One that fails counts as true: the query
  // itself will find that out.
  bool Holds(const model::Value& document) const;

 private:
  const EntryUse& use_;
  std::vector<Place> key_places_;
  Place id_place_;
  const CallContext& calls_;
  std::vector<BoundExpressionPtr> conditions_;
};

}  // namespace orrery::sql
