// The tree of an update's operators: by field, by matched position ("$"), and by elements of arrays
// ("$[]", "$[id]"), with one modifier at each leaf.
//
// Children are kept in the order in which MongoDB applies them: by name, numbers as numbers.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "api/mongo/error/mongo_error.h"
#include "api/mongo/language/update/modifier.h"
#include "model/value.h"

namespace orrery::mongo {

struct PathOrder {
  bool operator()(const std::string& a, const std::string& b) const;
};

struct UpdateNode {
  std::shared_ptr<const Modifier> leaf;  // then there are no children
  std::map<std::string, std::shared_ptr<const UpdateNode>, PathOrder> fields;
  std::shared_ptr<const UpdateNode> positional;  // "$"
  // By identifier; "" is every element.
  std::map<std::string, std::shared_ptr<const UpdateNode>> elements;
};

using UpdateNodePtr = std::shared_ptr<const UpdateNode>;

// Adds a modifier at a path. kConflictingUpdateOperators if the path, a part of it or something
// below it has one already.
Outcome AddModifier(UpdateNode& root, const std::vector<std::string>& steps,
                    std::shared_ptr<const Modifier> modifier);

// Both trees as one. `path` is where they meet, for the error's text.
Answer<UpdateNodePtr> MergeNodes(const UpdateNode& a, const UpdateNode& b, const std::string& path);

}  // namespace orrery::mongo
