// Turns a statement of the shell into the command that it stands for.
//
//   find(filter, projection) .sort .limit .skip .project .hint .batchSize .collation .maxTimeMS
//   findOne(filter, projection)       aggregate(pipeline, options)
//   countDocuments(filter)            estimatedDocumentCount()        distinct(field, filter)
//   insertOne(document)               insertMany(documents)
//   updateOne, updateMany(filter, update, options)                    replaceOne(filter, document)
//   deleteOne, deleteMany(filter)     createIndex(keys, options)      getIndexes()   drop()
//   find(..).count()                  find(..).explain()
//   db.runCommand(command)            db.getCollectionNames()         db.stats()
//
// Pure.
#pragma once

#include <string>

#include "api/mongo/shell/shell_text.h"
#include "model/value.h"

namespace orrery::mongo {

// The command as a document without its database. kInvalidArgument for what is none of these.
Result<model::Value> CommandOf(const ShellStatement& statement);

// The command that a text means: a statement, or a command as a document.
ShellParsed<model::Value> CommandFromText(std::string_view text);

}  // namespace orrery::mongo
