// Vertices and edges as documents, in the form that Cosmos DB stores them in, so that the SQL API
// reads and writes the same graph.
//
//   vertex   := {id, label, <partition key>: scalar, [ttl], <property>: [value+], [_idType]}
//   value    := {id, _value: scalar, [_type], [_meta: {key: scalar}], [_metaTypes: {key: type}]}
//   edge     := {id, label, <partition key>: that of the source, _isEdge: true,
//                _vertexId, _vertexLabel, _sink, _sinkLabel, _sinkPartition, <property>: scalar,
//                [_types: {key: type}], [_idType], [_vertexIdType], [_sinkIdType]}
//
// Types are named where a JSON value does not tell them: "float", "date", "uuid" and so on. The
// fields that name them are of this server only; documents that others wrote have none.
// docs/format/documents.md has an example of each.
//
// Pure.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "api/gremlin/graph/graph_store.h"
#include "api/gremlin/value/element.h"
#include "base/clock.h"
#include "base/ids.h"
#include "model/document/document.h"

namespace orrery::gremlin {

inline constexpr std::string_view kIsEdgeField = "_isEdge";
inline constexpr std::string_view kSourceField = "_vertexId";
inline constexpr std::string_view kSinkField = "_sink";
inline constexpr std::string_view kValueField = "_value";
inline constexpr std::string_view kTtlField = "ttl";

// A scalar as it is stored. `type` is empty where the stored value tells it.
struct StoredScalar {
  model::Value value;
  std::string type;
};
StoredScalar ToStored(const Value& value);
// Nullopt for arrays, objects and what is not of the type that is named.
std::optional<Value> FromStored(const model::Value& value, std::string_view type);

// The value of a partition key as the gateway takes it.
model::Value PartitionValue(const Value& partition);

model::Document VertexDocument(const Vertex& vertex, const GraphRules& rules, Micros now);
model::Document EdgeDocument(const Edge& edge, const GraphRules& rules, Micros now);

// A document with its position: the version of the element.
struct StoredVersion {
  Lsn lsn;
  Micros time;
};
bool IsEdge(model::DocumentView document);
// Null if the document is an edge, or has no id that is a string.
std::shared_ptr<const Vertex> ReadVertex(model::DocumentView document, const GraphRules& rules,
                                         const StoredVersion& version);
// Null if one of its ends is missing, too.
std::shared_ptr<const Edge> ReadEdge(model::DocumentView document, const GraphRules& rules,
                                     const StoredVersion& version);

}  // namespace orrery::gremlin
