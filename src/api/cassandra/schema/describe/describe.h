// DESCRIBE: what of the schema a client asked to see, as rows. Pure.
//
// Listings (KEYSPACES, TABLES, TYPES, FUNCTIONS, AGGREGATES) have three columns: keyspace_name,
// type, name. The others have create_statement, too. Elements come in an order in which their
// statements can be run.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/cassandra/parser/ast/describe.h"
#include "api/cassandra/schema/schema.h"

namespace orrery::cassandra {

// Names are quoted as CQL needs them.
struct DescribedElement {
  std::string keyspace;
  std::string_view type;  // "keyspace", "table", "materialized_view", ...
  std::string name;
  std::string create_statement;  // empty in a listing
};

// DESCRIBE CLUSTER has columns of its own: cluster, partitioner, snitch, and range_ownership when
// the session has a keyspace of its users'.
struct DescribedCluster {
  std::string cluster;
  std::string partitioner = "Murmur3Partitioner";
  std::string snitch = "SimpleSnitch";
  // By the last token of a range: the addresses of the nodes that have it, as "/127.0.0.1:7000".
  std::map<std::string, std::vector<std::string>> range_owners;
};

// Returns whether the rows have create_statement. REQUIRES: not kCluster.
bool HasCreateStatements(ast::DescribeKind kind);

// `session_keyspace` is that of USE; empty: none. Errors are Cassandra's.
// REQUIRES: the kind is not kCluster.
CqlResult<std::vector<DescribedElement>> Describe(const Schema& schema,
                                                  const ast::Describe& statement,
                                                  std::string_view session_keyspace);

}  // namespace orrery::cassandra
