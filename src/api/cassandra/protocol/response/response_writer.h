// Every response but ERROR (error_writer.h) and rows (rows_writer.h). Each call appends one whole
// envelope to `out`.
//
//   READY := nothing                     AUTHENTICATE := authenticator class:[string]
//   SUPPORTED := [string multimap]       AUTH_CHALLENGE, AUTH_SUCCESS := token:[bytes]
//   RESULT := 0001:[int]                                                      ; Void
//           | 0003:[int] keyspace:[string]                                    ; Set_keyspace
//           | 0004:[int] id:[short bytes] [metadata id:[short bytes], v5] variables result
//           | 0005:[int] schema change
//   variables := flags:[int] columns:[int] [n:[short]{n}, v4 on, n:[int] before them] columns
//   result    := flags:[int] columns:[int] columns       ; flag 04 and none: the statement has none
//   EVENT := "TOPOLOGY_CHANGE":[string] "NEW_NODE" | "REMOVED_NODE" node:[inet]
//          | "STATUS_CHANGE":[string] "UP" | "DOWN" node:[inet]
//          | "SCHEMA_CHANGE":[string] schema change
//   schema change := "CREATED" | "UPDATED" | "DROPPED"
//                    "KEYSPACE" keyspace | "TABLE" keyspace name | "TYPE" keyspace name
//                    | ("FUNCTION" | "AGGREGATE") keyspace name argument types:[string list]
//
// v3 knows no functions and aggregates: their change is told as an update of the keyspace.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/cassandra/protocol/body/primitives.h"
#include "api/cassandra/protocol/response/response_envelope.h"
#include "api/cassandra/protocol/response/result_columns.h"

namespace orrery::cassandra {

void WriteReady(std::string& out, const ResponseHead& head);
void WriteAuthenticate(std::string& out, const ResponseHead& head, std::string_view authenticator);
void WriteAuthChallenge(std::string& out, const ResponseHead& head,
                        const std::optional<std::string_view>& token);
void WriteAuthSuccess(std::string& out, const ResponseHead& head,
                      const std::optional<std::string_view>& token);
void WriteSupported(std::string& out, const ResponseHead& head, const StringMultimap& options);
void WriteVoid(std::string& out, const ResponseHead& head);
void WriteSetKeyspace(std::string& out, const ResponseHead& head, std::string_view keyspace);

struct PreparedStatement {
  std::string_view id;
  std::string_view result_metadata_id;  // sent in v5
  const ResultColumns& variables;
  std::span<const uint16_t> partition_key_indexes;  // into the variables, in key order; or none
  const ResultColumns& result;
};
void WritePrepared(std::string& out, const ResponseHead& head, const PreparedStatement& prepared);

enum class SchemaChangeKind : uint8_t { kCreated, kUpdated, kDropped };
enum class SchemaTarget : uint8_t { kKeyspace, kTable, kType, kFunction, kAggregate };
struct SchemaChange {
  SchemaChangeKind kind = SchemaChangeKind::kCreated;
  SchemaTarget target = SchemaTarget::kKeyspace;
  std::string keyspace;
  std::string name;                         // unless the target is the keyspace
  std::vector<std::string> argument_types;  // of functions and aggregates

  friend bool operator==(const SchemaChange&, const SchemaChange&) = default;
};
void WriteSchemaChange(std::string& out, const ResponseHead& head, const SchemaChange& change);

// Events go to every connection that asked for them, on a stream of their own: of `head` only the
// version and compression count.
void WriteSchemaEvent(std::string& out, const ResponseHead& head, const SchemaChange& change);
enum class TopologyChange : uint8_t { kNewNode, kRemovedNode };
void WriteTopologyEvent(std::string& out, const ResponseHead& head, TopologyChange change,
                        const InetEndpoint& node);
enum class NodeStatus : uint8_t { kUp, kDown };
void WriteStatusEvent(std::string& out, const ResponseHead& head, NodeStatus status,
                      const InetEndpoint& node);

}  // namespace orrery::cassandra
