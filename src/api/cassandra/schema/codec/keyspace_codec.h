// A keyspace as the catalog keeps it: a database whose `extra` is
//
//   {"api": "cassandra", "version": 1, "durableWrites": bool, "replication": map,
//    "types":      [{"name", "fields": [names], "fieldTypes": [types]}],
//    "functions":  [{"name", "arguments": [names], "argumentTypes": [types], "returns": type,
//                    "calledOnNullInput"?, "language", "body"}],
//    "aggregates": [{"name", "argumentTypes": [types], "stateFunction", "stateType": type,
//                    "finalFunction"?, "returns": type, "initialCondition"?}]}
//
// A map is an array of its keys and values in turn, a type its CQL text. User-defined types may
// stand in any order. docs/format/cassandra-schema.md has an example.
#pragma once

#include "api/cassandra/schema/keyspace.h"
#include "base/status.h"
#include "model/document/document.h"

namespace orrery::cassandra {

// Without the tables, which have containers of their own.
model::Document EncodeKeyspace(const Keyspace& keyspace);

// Without the tables. kCorruption names what is damaged, kUnsupported a newer version.
// REQUIRES: the database is ours (definition.h).
Result<Keyspace> DecodeKeyspace(gateway::DatabaseRef database);

}  // namespace orrery::cassandra
