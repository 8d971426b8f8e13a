// The session that a command belongs to: `lsid`, `txnNumber` and what goes with them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/mongo/command/command_table.h"

namespace orrery::mongo {

// The SHA-256 digest of a user's name ("user@database"; empty: nobody).
std::string UserDigest(std::string_view user);

// The bytes of a session that a client names: {id: UUID, uid?}. `field` is what errors call it.
Answer<std::string> ReadSessionId(const CommandContext& context, model::DocumentView lsid,
                                  std::string_view field);

// Reads the session of a command into its context, with the transaction that it names, and notes
// that it is used. Refuses numbers for commands that are no retryable writes.
Outcome AttachSession(const CommandEntry& entry, CommandContext& context);

// The numbers of a write command's statements: `stmtIds`, from `stmtId` on, or from 0 on.
Answer<std::vector<int32_t>> StatementNumbers(model::DocumentView body, size_t count);

// Returns whether a driver may send a retryable write again after this error: another node, or the
// same one a little later, can do it.
bool IsRetryableWriteError(const MongoError& error);

// Ends the cursors of sessions.
void EndCursors(const MongoServices& services, std::vector<std::string> sessions);

}  // namespace orrery::mongo
