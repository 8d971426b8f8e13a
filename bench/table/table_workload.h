// A TableWorkload is the requests to the Table API. A read counts only with an entity of the right
// size, a query only with as many entities as it must find, a batch only if all of it was done.
#pragma once

#include <cstdint>
#include <string>

#include "load/http/http_workload.h"
#include "load/key_chooser.h"
#include "table/entity_maker.h"
#include "table/table_options.h"
#include "table/table_request_maker.h"

namespace orrery::bench {

class TableWorkload final : public HttpWorkload {
 public:
  static constexpr uint64_t kPageEntities = 1'000;

  // The keys are numbers of entities; of batches for kBatch. `requests` and `entities` must outlive
  // this. REQUIRES: kind is not kNone.
  TableWorkload(TableWorkloadKind kind, KeyChooser keys, const TableRequestMaker& requests,
                const EntityMaker& entities);

  OperationKind Next(std::string& out) override;
  bool IsGood(const HttpAnswer& answer) const override;

 private:
  const TableWorkloadKind kind_;
  KeyChooser keys_;
  const TableRequestMaker& requests_;
  const EntityMaker& entities_;
  std::string body_;
};

}  // namespace orrery::bench
