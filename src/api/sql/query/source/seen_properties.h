// What of documents a query can see: those that it only counts need not be read, and only those
// properties that it names are made by the server.
#pragma once

#include "api/sql/document/document_form.h"
#include "api/sql/parser/ast/query.h"
#include "api/sql/query/computed/computed_properties.h"

namespace orrery::sql {

enum class SeenProperties : uint8_t {
  kNothing,  // that a document is there
  kStored,   // what was stored
  kAll,      // and what the server makes
};

// kAll when a document is taken as a whole, or one of the properties is named, by the query or by
// the definition of a computed property that it names.
SeenProperties SeenPropertiesOf(const ast::Query& query, const ComputedProperties& computed);

// A stored document with them.
model::Value ToSeen(SeenProperties seen, model::DocumentView stored, const ContainerNames& names,
                    const DocumentVersion& version);

}  // namespace orrery::sql
