// The collection of the generator: dropped, made anew with its index, and filled.
#pragma once

#include "base/status.h"
#include "mongo/command_maker.h"
#include "mongo/mongo_options.h"

namespace orrery::bench {

Status MakeCollection(const MongoOptions& options, const CommandMaker& commands);
Status LoadDocuments(const MongoOptions& options, const CommandMaker& commands);

}  // namespace orrery::bench
