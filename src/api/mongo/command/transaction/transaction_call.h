// The fields by which a command says that it belongs to a transaction: `txnNumber`, `autocommit`
// and `startTransaction`.
#pragma once

#include <cstdint>
#include <optional>

#include "api/mongo/error/mongo_error.h"
#include "model/document/document.h"

namespace orrery::mongo {

struct CommandContext;
struct CommandEntry;

struct TransactionCall {
  int64_t number = 0;
  bool starts = false;
};

// Returns nullopt for a command outside transactions. Refuses what transactions may not have:
// fields that contradict each other, commands and databases that are not for them, a write concern,
// a read concern after the first command. REQUIRES: the session was read.
Answer<std::optional<TransactionCall>> ReadTransactionCall(const CommandEntry& entry,
                                                           const CommandContext& context);

}  // namespace orrery::mongo
