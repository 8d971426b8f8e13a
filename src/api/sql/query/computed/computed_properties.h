// The computed properties of a container: names whose values queries compute from each document.
//
//   [{"name": "cp_lower", "query": "SELECT VALUE LOWER(c.name) FROM c"}, ..]
//
// A query that says alias.name, where the alias is the document itself, gets the computed value,
// even where documents have a property of that name. Whole documents do not have them.
//
// The list says what is kept; whether a definition may stand is asked of computed_definition.h,
// before it is kept. Values; a const one is thread-safe.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/value.h"

namespace orrery::sql {

struct ComputedProperty {
  std::string name;
  std::string query;
};

class ComputedProperties {
 public:
  ComputedProperties() = default;
  // Of JSON as a container keeps it; undefined for none. What is no definition is left out.
  explicit ComputedProperties(const model::Value& json);

  // Null when there is none of that name. Good while the list is unchanged.
  const ComputedProperty* Find(std::string_view name) const;
  const std::vector<ComputedProperty>& all() const { return properties_; }

 private:
  std::vector<ComputedProperty> properties_;
};

inline const ComputedProperties kNoComputedProperties;

}  // namespace orrery::sql
