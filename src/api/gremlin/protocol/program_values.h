// Converts the parts that binary and JSON bytecode share into values.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "api/gremlin/value/bytecode.h"
#include "api/gremlin/value/value.h"
#include "base/status.h"

namespace orrery::gremlin {

// The value of a nested traversal. Cardinality.set(5) travels as one, too, and becomes what it is.
Value TraversalValue(Bytecode bytecode);

// "SubgraphStrategy" of "org.apache.tinkerpop...SubgraphStrategy".
std::string ShortClassName(std::string_view name);

// The constant of an enumeration as it is named on the wire; nullopt if there is none.
std::optional<Value> EnumValue(std::string_view type, std::string_view name);

Value VertexReference(const Value& id, std::string label);

Error LambdaRefused();

}  // namespace orrery::gremlin
