// The error of a document whose key in a unique index another has: 11000 with keyPattern and
// keyValue, as drivers read them.
#pragma once

#include <string_view>
#include <vector>

#include "api/mongo/catalog/index_spec.h"
#include "api/mongo/catalog/namespace.h"
#include "api/mongo/error/mongo_error.h"
#include "base/status.h"

namespace orrery::mongo {

// "E11000 duplicate key error collection: db.c index: a_1 dup key: { a: 1 }". `conflict` is an
// item::UniqueConflict in bytes; what it cannot say (it is empty, or malformed) is left out.
// `indexes` are those of the collection: the key pattern is as createIndexes was given it.
MongoError DuplicateKey(const Namespace& name, const std::vector<IndexSpec>& indexes,
                        std::string_view conflict);

// The error of a document that an index cannot have: 171 if its paths lead through two arrays, else
// what the core says.
MongoError IndexRefusal(const Error& error);

}  // namespace orrery::mongo
