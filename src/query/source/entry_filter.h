// An EntryFilter makes of an index's entry what a query would see of its document, and evaluates
// the conditions that look at no more than that: a residual filter on index entries.
//
// For one run of a query, on one thread. What it is given must outlive it.
#pragma once

#include <functional>
#include <optional>
#include <string_view>
#include <utility>

#include "gateway/requests.h"
#include "model/key/entry_document.h"
#include "query/access/index_only_scan.h"

namespace orrery::query {

class EntryFilter {
 public:
  // Returns whether the conjuncts of an IndexOnlyScan are true of a document that has its paths
  // only. One that fails counts as true: the query itself will find that out.
  using Condition = std::function<bool(const model::Value& document)>;

  EntryFilter(const IndexOnlyScan& scan, const item::ContainerSchema& schema, Condition condition);

  // Returns the document as far as the query looks at it; nullopt if the entry does not say it all:
  // its value is cut, or written in another way than it was stored.
  std::optional<model::Value> DocumentOf(const item::ItemKey& key, std::string_view value) const;

  bool Holds(const model::Value& document) const { return condition_(document); }
  bool is_covering() const { return scan_.is_covering; }
  bool is_one_entry() const { return scan_.is_one_entry; }

 private:
  const IndexOnlyScan& scan_;
  const model::EntryDocument document_;
  Condition condition_;
};

}  // namespace orrery::query
