// An AwaitedBatch is a getMore on a cursor with a tail (executor/cursor/tail.h), which may wait for
// rows before it is answered.
//
// While it waits no thread is held: it listens to the gateway's ChangeBell, and wakes now and then
// to see whether the time is over, somebody has killed the cursor, the client has gone or the
// server stops; on a cluster also to look for what other nodes have written, which no bell tells.
// The reading is done on the I/O pool.
#pragma once

#include <memory>

#include "api/mongo/command/command_table.h"
#include "query/cursor/cursor_use.h"

namespace orrery::mongo {

// Answers the getMore in time. REQUIRES: the use's run is a CursorRun with a tail that awaits.
void StartAwaitedBatch(const std::shared_ptr<CommandContext>& context, query::CursorUse use,
                       CommandDone done);

}  // namespace orrery::mongo
