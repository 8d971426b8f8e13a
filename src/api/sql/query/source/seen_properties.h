// Which properties of documents that the server makes a query can see: only they are made.
#pragma once

#include "api/sql/document/document_form.h"
#include "api/sql/parser/ast/query.h"
#include "api/sql/query/computed/computed_properties.h"

namespace orrery::sql {

enum class SeenProperties : uint8_t {
  kStored,  // none
  kAll,
};

// kAll when a document is taken as a whole, or one of the properties is named, by the query or by
// the definition of a computed property that it names.
SeenProperties SeenPropertiesOf(const ast::Query& query, const ComputedProperties& computed);

// A stored document with them.
model::Value ToSeen(SeenProperties seen, model::DocumentView stored, const ContainerNames& names,
                    const DocumentVersion& version);

}  // namespace orrery::sql
