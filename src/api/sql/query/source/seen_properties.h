// The part of documents that a query can see: those that it only counts need not be read, only the
// properties that it names are decoded, and only those are made by the server.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "api/sql/document/document_form.h"
#include "api/sql/parser/ast/query.h"
#include "api/sql/query/computed/computed_properties.h"
#include "query/source/document_shaper.h"

namespace orrery::sql {

enum class SeenProperties : uint8_t {
  kNothing,  // that a document is there
  kStored,   // what was stored
  kAll,      // and what the server makes
};

struct SeenPart {
  SeenProperties properties = SeenProperties::kAll;
  std::set<std::string, std::less<>> names;  // of kStored: the properties that are examined
};

// kAll when a document is taken as a whole, or one of the server's properties is named, by the
// query or by the definition of a computed property that it names.
SeenPart SeenPartOf(const ast::Query& query, const ComputedProperties& computed);
// The same without what only the outermost WHERE looks at.
SeenPart SeenPartWithoutFilter(const ast::Query& query, const ComputedProperties& computed);

// Shapes documents as a query sees them. The container must outlive it.
class SeenShaper final : public query::DocumentShaper {
 public:
  SeenShaper(const gateway::ContainerEntry& container, SeenPart part)
      : names_(container), part_(std::move(part)) {}

  bool reads_document() const override { return part_.properties != SeenProperties::kNothing; }
  model::Value Shape(const item::ScannedItem& item) const override;

 private:
  const ContainerNames names_;
  const SeenPart part_;
};

}  // namespace orrery::sql
