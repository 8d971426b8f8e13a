// A Workload chooses the next request of one thread, and checks the answers.
//
// A server that answers fast but wrongly must not look good: a read counts only when it brings
// exactly one row with a value of the right size. Not thread-safe: one per thread.
#pragma once

#include <cstdint>
#include <string>

#include "api/cassandra/protocol/request/request.h"
#include "api/cassandra/protocol/response/response.h"
#include "cql/cql_options.h"
#include "cql/load/row_maker.h"
#include "load/key_chooser.h"
#include "load/tally.h"

namespace orrery::bench {

// A statement as the server knows it after PREPARE.
struct PreparedId {
  std::string id;
  std::string result_metadata_id;  // v5
};
struct Statements {
  PreparedId read;
  PreparedId insert;
};

class Workload {
 public:
  // `statements` and `rows` must outlive this. REQUIRES: kind is not kNone.
  Workload(WorkloadKind kind, KeyChooser keys, const Statements& statements, const RowMaker& rows);

  // Makes `request` the next operation. It views this object until the next call.
  OperationKind Next(cassandra::ExecuteRequest& request);

  // Returns whether `response` is a good answer to such an operation; an ERROR is not.
  bool IsGood(OperationKind kind, const cassandra::Response& response) const;

 private:
  OperationKind NextKind();

  const WorkloadKind kind_;
  KeyChooser keys_;
  const Statements& statements_;
  const RowMaker& rows_;
  std::string key_;
  bool read_next_ = true;  // kMixed takes turns
};

}  // namespace orrery::bench
