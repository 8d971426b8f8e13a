// The answers of the bare limit: just enough CQL for the load generator, and one Get or one row of
// a batch for each EXECUTE.
//
// EXECUTE is read field by field without building a request, and answered by hand: this is the
// least that any server could do with the same bytes. Not thread-safe.
#pragma once

#include <string>

#include "api/cassandra/protocol/frame/envelope.h"
#include "limit/bare_store.h"

namespace orrery::bench {

// Appends the answer to `request` to `out`. STARTUP is always accepted, every statement can be
// prepared, EXECUTE reads the row that its first value names, or, with a second value, stages that
// as the row: the answer is true after the next Commit. What is malformed gets an ERROR.
void AppendBareAnswer(std::string& out, const cassandra::Envelope& request, BareStore& store);

}  // namespace orrery::bench
