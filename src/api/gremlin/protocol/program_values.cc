#include "api/gremlin/protocol/program_values.h"

#include "api/gremlin/parser/enumerations.h"
#include "api/gremlin/value/element.h"

namespace orrery::gremlin {

Value TraversalValue(Bytecode bytecode) {
  if (bytecode.steps.empty() && bytecode.source.size() == 1 &&
      bytecode.source.front().name == "CardinalityValueTraversal" &&
      bytecode.source.front().args.size() == 2 &&
      bytecode.source.front().args[0].is_enum("Cardinality")) {
    const Values& args = bytecode.source.front().args;
    return Value(
        std::make_shared<const CardinalityValue>(CardinalityValue{args[0].AsEnum().name, args[1]}));
  }
  return Value(std::make_shared<const Bytecode>(std::move(bytecode)));
}

std::string ShortClassName(std::string_view name) {
  const size_t dot = name.rfind('.');
  return std::string(dot == std::string_view::npos ? name : name.substr(dot + 1));
}

std::optional<Value> EnumValue(std::string_view type, std::string_view name) {
  return QualifiedConstant(type, name);
}

Value VertexReference(const Value& id, std::string label) {
  auto vertex = std::make_shared<Vertex>();
  vertex->id = id;
  vertex->label = std::move(label);
  return Value(std::shared_ptr<const Vertex>(std::move(vertex)));
}

Error LambdaRefused() {
  return {Code::kUnsupported,
          "lambdas are not evaluated: use steps and anonymous traversals instead, such as "
          "filter(values('age').is(gt(29)))"};
}

}  // namespace orrery::gremlin
