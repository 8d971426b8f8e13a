// Read and write concerns of commands: which commands take one, and what is told of a write concern
// that cannot be met.
//
// One node takes every write, and reads are those of the owner of each document: every level of a
// read concern is met, and so is a write concern of one node or of a majority.
#pragma once

#include "api/mongo/command/command_context.h"

namespace orrery::mongo {

// kInvalidOptions for a concern that the command does not take, kFailedToParse for an unknown level
// of reading.
Outcome CheckConcerns(const CommandContext& context);

// Appends writeConcernError if the command has written and its write concern cannot be met.
void AppendConcernError(model::DocumentBuilder& reply, const CommandContext& context);

}  // namespace orrery::mongo
