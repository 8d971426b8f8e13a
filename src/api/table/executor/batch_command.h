// Executes batches: several changes of entities of one partition, all or none, or one query.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "api/table/executor/call.h"
#include "api/table/executor/parts.h"
#include "api/table/protocol/multipart.h"

namespace orrery::table {

inline constexpr size_t kBatchOperationsMax = 100;

class BatchCommand {
 public:
  explicit BatchCommand(const CommandParts& parts) : parts_(parts) {}

  // REQUIRES: the grant allows batches; what is in it is checked here.
  void Run(Call call) const;

 private:
  // The parts of a batch as calls of their own, up to the first that cannot be one.
  struct Read {
    std::vector<Call> calls;
    std::optional<ErrorResponse> error{};  // of the one behind the last
  };
  Read ReadParts(const Call& call, std::vector<BatchPart> parts) const;
  Outcome<Call> ReadPart(const Call& call, BatchPart part,
                         std::span<const std::string> accounts) const;
  void RunChanges(Call call, const std::vector<Call>& parts) const;
  void RunQuery(Call call, Call query) const;

  const CommandParts parts_;
};

}  // namespace orrery::table
