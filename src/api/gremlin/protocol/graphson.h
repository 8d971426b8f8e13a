// GraphSON: Gremlin values as JSON.
//
//   typed    := {"@type": "g:Int32", "@value": 1}      ; strings, booleans and null are bare
//   version 3 types lists, sets and maps too; in version 2 they are arrays and objects
//   untyped  := version 1: elements as objects with "type", everything else plain JSON
//
// The reader takes all three at once: whatever has "@type" is typed, whatever has not is plain.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/gremlin/value/value.h"
#include "base/status.h"

namespace orrery::gremlin {

struct ResultItem;

// kInvalidArgument for types that are unknown or malformed; kUnsupported for lambdas.
Result<Value> ReadGraphSon(const model::Value& json);

enum class GraphSon : uint8_t { kUntyped, kTyped2, kTyped3 };

class GraphSonWriter {
 public:
  GraphSonWriter(GraphSon form, bool with_properties)
      : form_(form), with_properties_(with_properties) {}

  void Append(std::string& out, const Value& value) const;
  // The list of all results: each as often as its bulk says, or as traversers.
  void AppendResults(std::string& out, const std::vector<ResultItem>& items,
                     bool as_traversers) const;

 private:
  bool typed() const { return form_ != GraphSon::kUntyped; }
  template <typename Write>
  void AppendTyped(std::string& out, std::string_view type, Write write) const;
  void AppendNumber(std::string& out, std::string_view type, std::string_view digits) const;
  void AppendDouble(std::string& out, std::string_view type, double number) const;
  template <typename Items, typename Write>
  void AppendArray(std::string& out, const Items& items, Write write) const;
  void AppendList(std::string& out, std::string_view type, const Values& items) const;
  void AppendBulkSet(std::string& out, const Values& items) const;
  void AppendMap(std::string& out, const ValueMap& map) const;
  // The answers of profile() and explain().
  void AppendMetrics(std::string& out, const ValueMap& map) const;
  void AppendKey(std::string& out, const Value& key) const;
  void AppendVertex(std::string& out, const Vertex& vertex) const;
  void AppendEdge(std::string& out, const Edge& edge) const;
  void AppendVertexProperty(std::string& out, const VertexPropertyRef& property) const;
  void AppendProperty(std::string& out, const PropertyRef& property) const;
  void AppendPath(std::string& out, const Path& path) const;
  void AppendTree(std::string& out, const Tree& tree) const;

  const GraphSon form_;
  const bool with_properties_;
};

}  // namespace orrery::gremlin
