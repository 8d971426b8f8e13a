// A Pipeline is a parsed list of aggregation stages.
//
// Parsing checks everything that does not need documents. Open makes a source that pulls rows from
// the input through the stages. What the pipeline begins with can be read as data (prefix()), so
// that the executor reads less: it then opens the rest with the rows that it found. Immutable and
// thread-safe.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "api/mongo/error/mongo_error.h"
#include "api/mongo/language/match/matcher.h"
#include "api/mongo/language/pipeline/collection_access.h"
#include "api/mongo/language/query_context.h"
#include "api/mongo/language/row.h"
#include "api/mongo/language/sort/sort_pattern.h"

namespace orrery::mongo {

class Stage;
struct GroupPlan;

// The stages at the beginning that a collection scan can do by itself.
struct PipelinePrefix {
  MatcherPtr filter;                // all leading $match stages; nullptr: every document
  std::optional<SortPattern> sort;  // the $sort that follows them
  int64_t skip = 0;
  std::optional<int64_t> limit;  // what of the sorted rows is wanted
  size_t stages = 0;             // how many stages this is
  // The $group that follows the filters, if it is next and owners can make its groups.
  std::shared_ptr<const GroupPlan> group = {};
};

class Pipeline {
 public:
  ~Pipeline();

  static Answer<std::shared_ptr<const Pipeline>> Parse(const std::vector<model::Document>& stages,
                                                       QueryContextPtr context);

  const PipelinePrefix& prefix() const { return prefix_; }
  // Returns whether the pipeline makes its own documents ($documents, $collStats, $currentOp, ...)
  // and the input must be empty.
  bool makes_its_input() const;
  // Returns whether it ends in $out or $merge, and where it writes.
  std::optional<CollectionName> target() const;
  // All collections that $lookup and the like read.
  std::vector<CollectionName> collections() const;
  size_t size() const { return stages_.size(); }

  static bool IsStageName(std::string_view name);

  // REQUIRES: `access` and the pipeline outlive the source; `access` may be nullptr if no stage
  // reads or writes collections, as in updates. `first` is prefix().stages when the
  // input is what the prefix describes, else 0.
  std::unique_ptr<RowSource> Open(std::unique_ptr<RowSource> input, CollectionAccess* access,
                                  size_t first = 0) const;

 private:
  Pipeline() = default;

  QueryContextPtr context_;
  std::vector<std::shared_ptr<const Stage>> stages_;
  PipelinePrefix prefix_;
};

using PipelinePtr = std::shared_ptr<const Pipeline>;

}  // namespace orrery::mongo
