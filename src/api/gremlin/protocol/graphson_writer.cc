#include <algorithm>
#include <cmath>

#include "api/gremlin/protocol/graphson.h"
#include "api/gremlin/protocol/message.h"
#include "api/gremlin/value/element.h"
#include "api/gremlin/value/relation.h"
#include "api/gremlin/value/text.h"
#include "model/document/json.h"
#include "model/value_text.h"

namespace orrery::gremlin {
namespace {

void AppendString(std::string& out, std::string_view text) { model::AppendJsonString(out, text); }

}  // namespace

template <typename Write>
void GraphSonWriter::AppendTyped(std::string& out, std::string_view type, Write write) const {
  if (!typed()) {
    write();
    return;
  }
  out += R"({"@type":")";
  out += type;
  out += R"(","@value":)";
  write();
  out += '}';
}

template <typename Items, typename Write>
void GraphSonWriter::AppendArray(std::string& out, const Items& items, Write write) const {
  out += '[';
  bool first = true;
  for (const auto& item : items) {
    if (!first) out += ',';
    first = false;
    write(item);
  }
  out += ']';
}

void GraphSonWriter::AppendNumber(std::string& out, std::string_view type,
                                  std::string_view digits) const {
  AppendTyped(out, type, [&] { out += digits; });
}

void GraphSonWriter::AppendDouble(std::string& out, std::string_view type, double number) const {
  if (std::isfinite(number)) {
    AppendNumber(
        out, type,
        type == "g:Float" ? model::FormatFloat(static_cast<float>(number)) : DoubleText(number));
    return;
  }
  AppendTyped(out, type, [&] { AppendString(out, DoubleText(number)); });
}

void GraphSonWriter::AppendList(std::string& out, std::string_view type,
                                const Values& items) const {
  const auto write = [&] {
    AppendArray(out, items, [&](const Value& item) { Append(out, item); });
  };
  if (form_ == GraphSon::kTyped3) {
    AppendTyped(out, type, write);
  } else {
    write();
  }
}

void GraphSonWriter::AppendBulkSet(std::string& out, const Values& items) const {
  if (form_ != GraphSon::kTyped3) {
    AppendList(out, "g:List", items);
    return;
  }
  ValueMap counts;
  for (const Value& item : items) {
    Value* count = counts.Find(item);
    if (count == nullptr) {
      counts.Set(item, Value::Long(1));
    } else {
      *count = Value::Long(count->AsInteger() + 1);
    }
  }
  AppendTyped(out, "g:BulkSet", [&] {
    AppendArray(out, counts.entries(), [&](const ValueMap::Entry& entry) {
      Append(out, entry.key);
      out += ',';
      Append(out, entry.value);
    });
  });
}

void GraphSonWriter::AppendKey(std::string& out, const Value& key) const {
  AppendString(out, ToText(key));
}

void GraphSonWriter::AppendMap(std::string& out, const ValueMap& map) const {
  if (form_ == GraphSon::kTyped3) {
    AppendTyped(out, "g:Map", [&] {
      AppendArray(out, map.entries(), [&](const ValueMap::Entry& entry) {
        Append(out, entry.key);
        out += ',';
        Append(out, entry.value);
      });
    });
    return;
  }
  out += '{';
  bool first = true;
  for (const ValueMap::Entry& entry : map.entries()) {
    if (!first) out += ',';
    first = false;
    AppendKey(out, entry.key);
    out += ':';
    Append(out, entry.value);
  }
  out += '}';
}

void GraphSonWriter::AppendMetrics(std::string& out, const ValueMap& map) const {
  const std::string_view type = map.Find("original") != nullptr ? "g:TraversalExplanation"
                                : map.Find("id") != nullptr     ? "g:Metrics"
                                                                : "g:TraversalMetrics";
  AppendTyped(out, type, [&] { AppendMap(out, map); });
}

void GraphSonWriter::AppendVertexProperty(std::string& out, const VertexPropertyRef& ref) const {
  const VertexProperty& property = ref.property;
  AppendTyped(out, "g:VertexProperty", [&] {
    out += R"({"id":)";
    Append(out, property.id);
    out += R"(,"value":)";
    Append(out, property.value);
    if (typed()) {
      out += R"(,"label":)";
      AppendString(out, property.key);
    }
    if (!property.meta.empty() && with_properties_) {
      out += R"(,"properties":{)";
      bool first = true;
      for (const Property& meta : property.meta) {
        if (!first) out += ',';
        first = false;
        AppendString(out, meta.key);
        out += ':';
        Append(out, meta.value);
      }
      out += '}';
    }
    out += '}';
  });
}

void GraphSonWriter::AppendVertex(std::string& out, const Vertex& vertex) const {
  AppendTyped(out, "g:Vertex", [&] {
    out += R"({"id":)";
    Append(out, vertex.id);
    out += R"(,"label":)";
    AppendString(out, vertex.label);
    if (!typed()) out += R"(,"type":"vertex")";
    if (with_properties_ && !vertex.properties.empty()) {
      out += R"(,"properties":{)";
      std::vector<std::string_view> keys;
      for (const VertexProperty& property : vertex.properties) {
        if (std::ranges::find(keys, property.key) == keys.end()) keys.push_back(property.key);
      }
      for (size_t i = 0; i < keys.size(); ++i) {
        if (i != 0) out += ',';
        AppendString(out, keys[i]);
        out += ":[";
        bool first = true;
        for (const VertexProperty& property : vertex.properties) {
          if (property.key != keys[i]) continue;
          if (!first) out += ',';
          first = false;
          AppendVertexProperty(out, {.property = property, .owner = nullptr});
        }
        out += ']';
      }
      out += '}';
    }
    out += '}';
  });
}

void GraphSonWriter::AppendEdge(std::string& out, const Edge& edge) const {
  AppendTyped(out, "g:Edge", [&] {
    out += R"({"id":)";
    Append(out, edge.id);
    out += R"(,"label":)";
    AppendString(out, edge.label);
    if (!typed()) out += R"(,"type":"edge")";
    out += R"(,"inVLabel":)";
    AppendString(out, edge.in.label);
    out += R"(,"outVLabel":)";
    AppendString(out, edge.out.label);
    out += R"(,"inV":)";
    Append(out, edge.in.id);
    out += R"(,"outV":)";
    Append(out, edge.out.id);
    if (with_properties_ && !edge.properties.empty()) {
      out += R"(,"properties":{)";
      bool first = true;
      for (const Property& property : edge.properties) {
        if (!first) out += ',';
        first = false;
        AppendString(out, property.key);
        out += ':';
        if (typed()) {
          AppendProperty(
              out, {.key = Value::String(property.key), .value = property.value, .owner = {}});
        } else {
          Append(out, property.value);
        }
      }
      out += '}';
    }
    out += '}';
  });
}

void GraphSonWriter::AppendProperty(std::string& out, const PropertyRef& property) const {
  AppendTyped(out, "g:Property", [&] {
    out += R"({"key":)";
    Append(out, property.key);
    out += R"(,"value":)";
    Append(out, property.value);
    out += '}';
  });
}

void GraphSonWriter::AppendPath(std::string& out, const Path& path) const {
  Values labels;
  for (const std::vector<std::string>& names : path.labels) {
    Values set;
    for (const std::string& name : names) set.push_back(Value::String(name));
    labels.push_back(Value::Set(std::move(set)));
  }
  AppendTyped(out, "g:Path", [&] {
    out += R"({"labels":)";
    AppendList(out, "g:List", labels);
    out += R"(,"objects":)";
    AppendList(out, "g:List", path.objects);
    out += '}';
  });
}

void GraphSonWriter::AppendTree(std::string& out, const Tree& tree) const {
  if (typed()) {
    AppendTyped(out, "g:Tree", [&] {
      AppendArray(out, tree.branches, [&](const Tree::Branch& branch) {
        out += R"({"key":)";
        Append(out, branch.key);
        out += R"(,"value":)";
        AppendTree(out, branch.children);
        out += '}';
      });
    });
    return;
  }
  // Version 1 names branches by the ids of their elements.
  out += '{';
  bool first = true;
  for (const Tree::Branch& branch : tree.branches) {
    if (!first) out += ',';
    first = false;
    const Value* id = IdOf(branch.key);
    AppendKey(out, id == nullptr ? branch.key : *id);
    out += R"(:{"key":)";
    Append(out, branch.key);
    out += R"(,"value":)";
    AppendTree(out, branch.children);
    out += '}';
  }
  out += '}';
}

void GraphSonWriter::Append(std::string& out, const Value& value) const {
  switch (value.type()) {
    case Type::kNull:
      out += "null";
      return;
    case Type::kBool:
      out += value.AsBool() ? "true" : "false";
      return;
    case Type::kString:
      AppendString(out, value.AsString());
      return;
    case Type::kByte:
      return AppendNumber(out, "gx:Byte", std::to_string(value.AsInteger()));
    case Type::kShort:
      return AppendNumber(out, "gx:Int16", std::to_string(value.AsInteger()));
    case Type::kInt:
      return AppendNumber(out, "g:Int32", std::to_string(value.AsInteger()));
    case Type::kLong:
      return AppendNumber(out, "g:Int64", std::to_string(value.AsInteger()));
    case Type::kFloat:
      return AppendDouble(out, "g:Float", value.AsFloating());
    case Type::kDouble:
      return AppendDouble(out, "g:Double", value.AsFloating());
    case Type::kBigInteger:
      return AppendNumber(out, "gx:BigInteger", ToText(value));
    case Type::kBigDecimal:
      return AppendNumber(out, "gx:BigDecimal", ToText(value));
    case Type::kDate:
      return AppendNumber(out, "g:Date", std::to_string(value.AsInteger()));
    case Type::kUuid:
      return AppendTyped(out, "g:UUID", [&] { AppendString(out, UuidText(value.AsUuid())); });
    case Type::kDuration:
      return AppendTyped(out, "gx:Duration", [&] { AppendString(out, ToText(value)); });
    case Type::kList:
      return AppendList(out, "g:List", value.AsItems());
    case Type::kSet:
      return AppendList(out, "g:Set", value.AsItems());
    case Type::kBulkSet:
      return AppendBulkSet(out, value.AsItems());
    case Type::kMap:
      return AppendMap(out, value.AsMap());
    case Type::kMetrics:
      return AppendMetrics(out, value.AsMap());
    case Type::kVertex:
      return AppendVertex(out, *value.AsVertex());
    case Type::kEdge:
      return AppendEdge(out, *value.AsEdge());
    case Type::kVertexProperty:
      return AppendVertexProperty(out, value.AsVertexProperty());
    case Type::kProperty:
      if (value.AsProperty().owner.is_null()) {
        ValueMap entry;
        entry.Set(value.AsProperty().key, value.AsProperty().value);
        return AppendMap(out, entry);
      }
      return AppendProperty(out, value.AsProperty());
    case Type::kPath:
      return AppendPath(out, value.AsPath());
    case Type::kTree:
      return AppendTree(out, value.AsTree());
    case Type::kGraph:
      return AppendTyped(out, "tinker:graph", [&] {
        out += R"({"vertices":)";
        AppendArray(out, value.AsGraph().vertices, [&](const auto& v) { AppendVertex(out, *v); });
        out += R"(,"edges":)";
        AppendArray(out, value.AsGraph().edges, [&](const auto& e) { AppendEdge(out, *e); });
        out += '}';
      });
    case Type::kEnum:
      return AppendTyped(out, "g:" + value.AsEnum().type,
                         [&] { AppendString(out, value.AsEnum().name); });
    case Type::kBinary:
    case Type::kPredicate:
    case Type::kTraversal:
    case Type::kStrategy:
    case Type::kCardinality:
      AppendString(out, ToText(value));
      return;
  }
}

void GraphSonWriter::AppendResults(std::string& out, const std::vector<ResultItem>& items,
                                   bool as_traversers) const {
  const auto write = [&] {
    out += '[';
    bool first = true;
    for (const ResultItem& item : items) {
      for (int64_t i = 0; i < (as_traversers ? 1 : item.bulk); ++i) {
        if (!first) out += ',';
        first = false;
        if (!as_traversers) {
          Append(out, item.value);
          continue;
        }
        AppendTyped(out, "g:Traverser", [&] {
          out += R"({"bulk":)";
          Append(out, Value::Long(item.bulk));
          out += R"(,"value":)";
          Append(out, item.value);
          out += '}';
        });
      }
    }
    out += ']';
  };
  if (form_ == GraphSon::kTyped3) {
    AppendTyped(out, "g:List", write);
  } else {
    write();
  }
}

}  // namespace orrery::gremlin
