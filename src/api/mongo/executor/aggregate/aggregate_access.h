// An AggregateAccess is what the stages of one aggregation reach beyond their input, through the
// gateway: other collections, targets of $out and $merge, and statistics.
//
// Used by one thread at a time. Gateway, catalog and clock must outlive it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "api/mongo/catalog/collection_catalog.h"
#include "api/mongo/executor/run_state.h"
#include "api/mongo/executor/write/collection_writer.h"
#include "api/mongo/language/pipeline/collection_access.h"
#include "gateway/gateway.h"

namespace orrery::mongo {

class AggregateAccess final : public CollectionAccess {
 public:
  struct Parts {
    gateway::Gateway& gateway;
    CollectionCatalog& collections;
    std::string database;  // of the aggregation
    std::string collection;
    std::function<model::Value()> new_id;
    // Says whether the client may read or write there; the error is the command's.
    std::function<Outcome(const Namespace&)> check_read;
    std::function<Outcome(const Namespace&)> check_write;
    bool validates = true;  // what $out and $merge write
    // The rows of the first stage if that reads the server: $currentOp, $listSessions.
    std::optional<std::vector<model::Document>> server_rows = {};
    std::shared_ptr<const Collator> collator = nullptr;  // views must have the same
  };
  AggregateAccess(Parts parts, std::shared_ptr<RunState> state);

  Answer<ResolvedCollection> Resolve(const CollectionName& name) override;
  Answer<std::unique_ptr<RowSource>> Read(const CollectionName& name, MatcherPtr filter) override;
  Answer<std::unique_ptr<OutTarget>> OpenOut(const CollectionName& name) override;
  Answer<bool> AreUnique(const CollectionName& name,
                         const std::vector<std::string>& fields) override;
  Answer<std::vector<std::string>> MergeFields(const CollectionName& name) override;
  Outcome Merge(const CollectionName& name, MergeWrite write) override;
  model::Value NewId() override { return parts_.new_id(); }
  Answer<std::unique_ptr<RowSource>> Special(const std::string& stage,
                                             const model::Value& argument) override;

 private:
  Namespace NameOf(const CollectionName& name) const;

  const Parts parts_;
  const std::shared_ptr<RunState> state_;
};

}  // namespace orrery::mongo
