// A CollectionScan gives the documents of a collection that match a filter, through whichever
// access path finds them with the least work, in the order that is wanted if an index has it.
//
// It may be kept between requests: what it holds of the store is positions. When a partition splits
// or moves under it, it plans anew from where it was.
//
// Used by one thread at a time. The gateway must outlive it.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "api/mongo/catalog/collection.h"
#include "api/mongo/executor/read/bson_shaper.h"
#include "api/mongo/executor/read/text_query.h"
#include "api/mongo/executor/run_state.h"
#include "api/mongo/language/match/matcher.h"
#include "api/mongo/language/row.h"
#include "api/mongo/language/sort/sort_pattern.h"
#include "gateway/gateway.h"
#include "query/access/access_path.h"
#include "query/source/gateway_source.h"

namespace orrery::mongo {

// An IndexHint names the index that a scan may use.
struct IndexHint {
  bool natural = false;   // none
  std::string name = {};  // only this one; empty: any
};

struct ScanRequest {
  CollectionPtr collection;
  MatcherPtr filter;  // null: every document
  // The order that is wanted, if an index has it; looked at by the constructor only.
  const SortPattern* sort = nullptr;
  size_t rows_wanted = 101;  // about; SIZE_MAX: all
  IndexHint hint = {};
  std::shared_ptr<const Collator> collator = nullptr;  // of the order, where there is no filter
  // Set: documents of a search by distance are wanted, which the caller measures and sorts; a $near
  // of the filter is then left to it.
  std::optional<NearNode::Search> near = {};
  // Rows have the key by which an index found them, and their record id, as metadata.
  bool wants_keys = false;
  // Of a capped collection, whose natural order is that of insertion:
  bool natural_backwards = false;             // documents come in that order, from the end
  std::optional<int64_t> from_sequence = {};  // or from this number on
  bool as_stored = false;                     // rows are documents as they are stored
};

// The access path of the documents that a request wants.
query::AccessPath ChoosePath(const ScanRequest& request);

class CollectionScan final : public RowSource {
 public:
  CollectionScan(gateway::Gateway& gateway, ScanRequest request, std::shared_ptr<RunState> state);
  ~CollectionScan() override;

  Answer<std::optional<Row>> Next() override;

  // Returns whether documents come in the order that was wanted.
  bool is_ordered() const { return is_ordered_; }
  const query::AccessPath& path() const { return path_; }
  // The path as clients know it: the natural order is that of no index.
  query::AccessPath ShownPath() const;
  // Returns what the last match says of the positional operators.
  const MatchDetails& details() const { return details_; }

 private:
  Status Open();
  void Count();
  void CountUse() const;
  // The key of the index that was read by which it found the document.
  model::Value KeyOf(model::DocumentView document) const;
  // Returns whether the documents of a capped collection come in the order of insertion.
  bool is_natural() const;

  gateway::Gateway& gateway_;
  const ScanRequest request_;
  const std::shared_ptr<RunState> state_;
  const BsonShaper shaper_;
  const Answer<std::shared_ptr<const TextSearch>> search_;  // of the filter's $text
  // The part of the filter that owners know; null: nothing.
  std::shared_ptr<const model::Expression> where_;
  query::AccessPath path_;
  bool is_ordered_ = false;
  std::unique_ptr<query::GatewaySource> source_;  // null: to be opened
  bool has_given_ = false;                        // the source, a document
  std::string position_;                          // where to go on after planning anew
  bool is_done_ = false;
  MatchDetails details_;
  query::SourceMetrics counted_;  // of the source, so far
};

}  // namespace orrery::mongo
