// An OutWriter takes the documents of $out: it fills a collection of its own and, when all are
// there, gives it the target's name in the place of the former one.
//
// Until then the target is as it was, and stays so if the aggregation fails. The new collection has
// the options and indexes of the former one. One that a crash leaves behind is dropped a day later
// (DropAbandonedOut). Used by one thread at a time.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "api/mongo/catalog/collection_catalog.h"
#include "api/mongo/executor/run_state.h"
#include "api/mongo/language/pipeline/collection_access.h"
#include "gateway/gateway.h"
#include "model/document/document.h"

namespace orrery::mongo {

class OutWriter final : public OutTarget {
 public:
  struct Parts {
    gateway::Gateway& gateway;
    CollectionCatalog& collections;
    std::function<model::Value()> new_id;  // a new ObjectId
    bool validates = true;
  };

  // 17385, 17152, 28769, kIllegalOperation and kCommandNotSupportedOnView for what cannot be a
  // target.
  static Answer<std::unique_ptr<OutTarget>> Open(Parts parts, const Namespace& target,
                                                 std::shared_ptr<RunState> state);
  // The same for a collection with these options, and no index but that of `_id`, whatever the
  // former one has.
  static Answer<std::unique_ptr<OutTarget>> OpenWith(Parts parts, const Namespace& target,
                                                     model::Document options,
                                                     std::shared_ptr<RunState> state);
  ~OutWriter() override;

  Outcome Add(model::Document document) override;
  Outcome Finish() override;

 private:
  // Documents that are inserted at once.
  static constexpr size_t kBatchMax = 500;
  static constexpr size_t kBatchBytesMax = size_t{2} << 20;

  OutWriter(Parts parts, Namespace target, CollectionPtr former, CollectionPtr made,
            std::shared_ptr<RunState> state);
  Outcome Flush();

  const Parts parts_;
  const Namespace target_;
  const CollectionPtr former_;  // null: there was none
  const CollectionPtr made_;
  const std::shared_ptr<RunState> state_;
  std::vector<model::Document> batch_;
  size_t batch_bytes_ = 0;
  bool is_finished_ = false;
};

// Drops collections of $out that were begun more than a day before: nobody fills them any more.
void DropAbandonedOut(CollectionCatalog& collections, int64_t now_unix_ms);

}  // namespace orrery::mongo
