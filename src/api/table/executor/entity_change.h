// An EntityChange is one write of an entity, as a request or a part of a batch asks for it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "api/table/protocol/address.h"
#include "api/table/protocol/error_response.h"
#include "api/table/protocol/operation.h"
#include "api/table/protocol/request_options.h"
#include "base/clock.h"
#include "gateway/requests.h"
#include "model/document/document.h"

namespace orrery::table {

struct EntityChange {
  Operation operation = Operation::kInsertEntity;
  std::string partition_key{};
  std::string row_key{};
  std::optional<Micros> if_time{};            // the version it is for, by its etag
  std::optional<model::Document> document{};  // as it is stored; of a merge what changes

  // Returns whether the stored entity must be looked at first: else one operation of the gateway
  // does it.
  bool looks_first() const {
    return if_time.has_value() || operation == Operation::kMergeEntity ||
           operation == Operation::kInsertOrMergeEntity;
  }
};

// Returns the change that a method means for one entity; nullopt if none. `has_condition`: the
// request has If-Match.
std::optional<Operation> EntityOperation(std::string_view method, bool has_condition);

// `address` names the entity, or of an insert the table. Checks keys, body and condition.
Outcome<EntityChange> ReadChange(Operation operation, const Address& address,
                                 const RequestOptions& options, std::string_view body);

// The same as an operation of the gateway. REQUIRES: !change.looks_first().
gateway::WriteOperation PlainOperation(EntityChange change);

}  // namespace orrery::table
