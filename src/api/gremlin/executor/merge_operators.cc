// mergeV() and mergeE(): find what a map describes, or create it.
#include <algorithm>

#include "api/gremlin/executor/child.h"
#include "api/gremlin/executor/families.h"
#include "api/gremlin/value/element.h"
#include "api/gremlin/value/relation.h"
#include "api/gremlin/value/text.h"

namespace orrery::gremlin {
namespace {

constexpr size_t kFoundPage = 256;

// A map taken apart.
struct MergeMap {
  Value id{};  // null: any
  std::optional<std::string> label{};
  std::vector<std::pair<std::string, Value>> properties{};
  Value out{};  // of edges: what stands for the vertex; null: not given
  Value in{};
};

Value Plain(const Value& value) {
  return value.type() == Type::kCardinality ? value.AsCardinality().value : value;
}

Result<MergeMap> TakeApart(const ValueMap& map, const std::string& name) {
  MergeMap wanted;
  for (const auto& [key, value] : map.entries()) {
    if (key.is_enum("T", "id")) {
      wanted.id = value;
    } else if (key.is_enum("T", "label")) {
      if (!value.is_string())
        return Fail(Code::kInvalidArgument, name + "() expects T.label to be a String");
      wanted.label = value.AsString();
    } else if (key.is_enum("Direction") && name == "mergeE") {
      (key.AsEnum().name == "OUT" ? wanted.out : wanted.in) = value;
    } else if (key.is_string()) {
      wanted.properties.emplace_back(key.AsString(), value);
    } else {
      return Fail(Code::kInvalidArgument,
                  name + "() and option(onCreate) args expect keys in Map to be either String or " +
                      (name == "mergeE" ? "[id, label, OUT, IN]" : "[id, label]") +
                      " - check: " + ToText(key));
    }
  }
  return wanted;
}

// Shared by both steps: the maps of the step and its options.
class MergeOperator : public BatchOperator {
 public:
  using BatchOperator::BatchOperator;

 protected:
  // Returns the map of the step's argument, or the traverser where there is none.
  Result<ValueMap> SearchMap(const Traverser& at) {
    if (step().args.empty()) {
      if (at.value.is_element()) {
        return Fail(Code::kInvalidArgument,
                    "The incoming traverser for " +
                        std::string(step().name == "mergeV" ? "MergeVertexStep" : "MergeEdgeStep") +
                        " cannot be an Element");
      }
      return AsMap(at.value);
    }
    if (step().children.front() == nullptr) return AsMap(step().args.front());
    return FromChild(*step().children.front(), at);
  }
  // Nullopt if there is no such option.
  Result<std::optional<ValueMap>> OptionMap(std::string_view merge, const Traverser& at) {
    for (const Option& option : step().options) {
      if (!option.pick.is_enum("Merge", merge)) continue;
      if (option.branch == nullptr) {
        ORRERY_ASSIGN(ValueMap map, AsMap(option.map));
        return map;
      }
      ORRERY_ASSIGN(ValueMap map, FromChild(*option.branch, at));
      return map;
    }
    return std::nullopt;
  }
  std::string CardinalityOf(std::string_view merge) const {
    for (const Option& option : step().options) {
      if (option.pick.is_enum("Merge", merge)) return option.cardinality;
    }
    return {};
  }

  // The search map with what creation adds to it.
  Result<ValueMap> CreationMap(const ValueMap& search, const Traverser& at) {
    ORRERY_ASSIGN(const std::optional<ValueMap> more, OptionMap("onCreate", at));
    ValueMap map = search;
    if (!more.has_value()) return map;
    for (const auto& [key, value] : more->entries()) {
      const Value* known = search.Find(key);
      if (known != nullptr && !Equals(Plain(*known), Plain(value))) {
        return Fail(
            Code::kInvalidArgument,
            "option(onCreate) cannot override values from merge() argument: " + ToText(key));
      }
      map.Set(key, value);
    }
    return map;
  }

  // Applies onMatch; returns the newest version.
  Result<Value> Matched(Value element, const Traverser& at) {
    Traverser placed = at;
    placed.value = element;
    ORRERY_ASSIGN(const std::optional<ValueMap> changes, OptionMap("onMatch", placed));
    if (!changes.has_value()) return element;
    for (const auto& [key, value] : changes->entries()) {
      if (!key.is_string()) {
        return Fail(Code::kInvalidArgument,
                    "option(onMatch) expects keys in Map to be of String, not " + ToText(key));
      }
      std::string cardinality = CardinalityOf("onMatch");
      if (value.type() == Type::kCardinality) cardinality = value.AsCardinality().cardinality;
      if (cardinality.empty()) cardinality = "single";
      ORRERY_ASSIGN(element, run().graph().SetProperty(element, cardinality, key.AsString(),
                                                       Plain(value), {}));
    }
    return element;
  }

  static bool HasProperties(const Value& element, const MergeMap& wanted) {
    return std::ranges::all_of(wanted.properties, [&](const auto& property) {
      const Value value = Plain(property.second);
      if (element.type() == Type::kEdge) {
        const Value* found = element.AsEdge()->Find(property.first);
        return found != nullptr && Equals(*found, value);
      }
      return std::ranges::any_of(element.AsVertex()->properties, [&](const VertexProperty& each) {
        return each.key == property.first && Equals(each.value, value);
      });
    });
  }
  static bool IsWanted(const Value& element, const MergeMap& wanted) {
    if (element.is_null()) return false;
    if (!wanted.id.is_null() && IdText(*IdOf(element)) != IdText(wanted.id)) return false;
    if (wanted.label.has_value() && *LabelOf(element) != *wanted.label) return false;
    return HasProperties(element, wanted);
  }

  ElementQuery QueryOf(ElementKind kind, const MergeMap& wanted) const {
    ElementQuery query{.kind = kind};
    if (!wanted.id.is_null()) query.ids = {IdText(wanted.id)};
    if (wanted.label.has_value()) query.labels = {*wanted.label};
    const GraphRules& rules = run().graph().rules();
    if (!wanted.id.is_null() && rules.partition_is_id && kind == ElementKind::kVertex)
      query.partitions = {Value::String(IdText(wanted.id))};
    for (const auto& [key, value] : wanted.properties) {
      const Value plain = Plain(value);
      if (key == rules.partition_key && !rules.partition_is_id) {
        if (kind == ElementKind::kVertex) query.partitions = {plain};
        continue;
      }
      query.conditions.push_back({.key = key,
                                  .predicate = std::make_shared<const Predicate>(Predicate{
                                      .comparison = Comparison::kEq, .values = {plain}})});
    }
    return query;
  }

  Result<Values> FindAll(ElementKind kind, const MergeMap& wanted) {
    ORRERY_ASSIGN(const auto cursor, run().graph().Find(QueryOf(kind, wanted)));
    Values matching;
    while (true) {
      Values found;
      ORRERY_TRY(cursor->Next(kFoundPage, found));
      if (found.empty()) return matching;
      for (Value& element : found) {
        if (!IsWanted(element, wanted)) continue;
        ORRERY_TRY(run().Keep(1));
        matching.push_back(std::move(element));
      }
    }
  }

  Status Give(const Traverser& from, Value element, Batch& out) {
    ORRERY_ASSIGN(Traverser moved, run().Moved(from, element));
    moved.bulk = 1;
    if (from.path == nullptr) moved.path = run().Start(element, moved.tag).path;
    out.push_back(std::move(moved));
    return {};
  }

  Result<ValueMap> FromChild(const Traversal& child, const Traverser& at) {
    ORRERY_ASSIGN(const ChildResults results, RunChild(run(), child, {at}, ChildNeed::kFirst));
    if (results.front().empty()) {
      return Fail(Code::kInvalidArgument,
                  "The provided traverser does not map to a value: " + ToText(at.value) +
                      ", in an argument of " + step().name + "()");
    }
    return AsMap(results.front().front().value);
  }
  Result<ValueMap> AsMap(const Value& value) const {
    if (value.is_null()) return ValueMap();
    if (!value.is_map()) {
      return Fail(Code::kInvalidArgument, step().name + "() takes a map, not " +
                                              std::string(TypeName(value.type())) + " " +
                                              ToText(value));
    }
    return value.AsMap();
  }
};

class MergeVertexOperator final : public MergeOperator {
 public:
  using MergeOperator::MergeOperator;

 protected:
  Status Process(Batch in, Batch& out) override {
    for (const Traverser& at : in) {
      ORRERY_ASSIGN(const ValueMap search, SearchMap(at));
      ORRERY_ASSIGN(const MergeMap wanted, TakeApart(search, "mergeV"));
      ORRERY_ASSIGN(Values found, FindAll(ElementKind::kVertex, wanted));
      if (found.empty()) {
        ORRERY_ASSIGN(const ValueMap creation, CreationMap(search, at));
        ORRERY_ASSIGN(MergeMap made, TakeApart(creation, "mergeV"));
        std::vector<VertexProperty> properties;
        for (auto& [key, value] : made.properties)
          properties.push_back({.id = {}, .key = key, .value = Plain(value), .meta = {}});
        ORRERY_ASSIGN(Value vertex, run().graph().AddVertex(made.id, made.label.value_or("vertex"),
                                                            std::move(properties)));
        ORRERY_TRY(Give(at, std::move(vertex), out));
        continue;
      }
      for (Value& vertex : found) {
        ORRERY_ASSIGN(Value changed, Matched(std::move(vertex), at));
        ORRERY_TRY(Give(at, std::move(changed), out));
      }
    }
    return {};
  }
};

class MergeEdgeOperator final : public MergeOperator {
 public:
  using MergeOperator::MergeOperator;

 protected:
  Status Process(Batch in, Batch& out) override {
    for (const Traverser& at : in) {
      ORRERY_ASSIGN(const ValueMap search, SearchMap(at));
      ORRERY_ASSIGN(const MergeMap wanted, TakeApart(search, "mergeE"));
      ORRERY_ASSIGN(const Ends ends, EndsOf(wanted, at));
      Values found;
      // An end that is named but not there has no edges.
      if (!ends.is_missing) {
        ORRERY_ASSIGN(found, FindEdges(wanted, ends));
      }
      if (found.empty()) {
        ORRERY_ASSIGN(Value edge, Create(search, at));
        ORRERY_TRY(Give(at, std::move(edge), out));
        continue;
      }
      for (Value& edge : found) {
        ORRERY_ASSIGN(Value changed, Matched(std::move(edge), at));
        ORRERY_TRY(Give(at, std::move(changed), out));
      }
    }
    return {};
  }

 private:
  struct Ends {
    std::shared_ptr<const Vertex> out{};
    std::shared_ptr<const Vertex> in{};
    bool is_missing = false;
  };

  // The vertex that a value stands for: itself, an id, or what an option describes. Null if there
  // is none.
  Result<std::shared_ptr<const Vertex>> Resolve(const Value& value, const Traverser& at) {
    if (value.is_enum("Merge")) {
      ORRERY_ASSIGN(Value named, OptionVertex(value.AsEnum().name, at));
      return Resolve(named, at);
    }
    if (value.is_null()) return nullptr;
    MergeMap wanted;
    if (value.is_map()) {
      ORRERY_ASSIGN(wanted, TakeApart(value.AsMap(), "mergeV"));
    } else if (value.type() == Type::kVertex) {
      const Value newest = run().graph().Newest(value);
      if (newest.is_null()) return nullptr;
      if (!newest.AsVertex()->partition.is_null()) return newest.AsVertex();
      wanted.id = newest.AsVertex()->id;
    } else if (IsIdType(value.type())) {
      wanted.id = value;
    } else {
      return Fail(Code::kInvalidArgument,
                  "mergeE() expects Direction.OUT and Direction.IN to be vertices or their ids, "
                  "not " +
                      ToText(value));
    }
    ORRERY_ASSIGN(const Values found, FindAll(ElementKind::kVertex, wanted));
    return found.empty() ? nullptr : found.front().AsVertex();
  }

  Result<Value> OptionVertex(const std::string& merge, const Traverser& at) {
    for (const Option& option : step().options) {
      if (!option.pick.is_enum("Merge", merge)) continue;
      if (option.branch == nullptr) return option.map;
      ORRERY_ASSIGN(const ChildResults results,
                    RunChild(run(), *option.branch, {at}, ChildNeed::kFirst));
      return results.front().empty() ? Value::Null() : results.front().front().value;
    }
    return Fail(Code::kInvalidArgument, "mergeE() needs option(Merge." + merge + ", ...)");
  }

  bool FillsEnds(const Traverser& at) const {
    return at.value.type() == Type::kVertex && !step().args.empty() &&
           !step().args.front().is_null();
  }

  Result<Ends> EndsOf(const MergeMap& wanted, const Traverser& at) {
    Ends ends;
    Value out = wanted.out;
    Value in = wanted.in;
    // A vertex that comes along is the end that is not named.
    if (FillsEnds(at)) {
      if (out.is_null()) out = at.value;
      if (in.is_null()) in = at.value;
    }
    if (!out.is_null()) {
      ORRERY_ASSIGN(ends.out, Resolve(out, at));
      ends.is_missing = ends.out == nullptr;
    }
    if (!in.is_null()) {
      ORRERY_ASSIGN(ends.in, Resolve(in, at));
      ends.is_missing = ends.is_missing || ends.in == nullptr;
    }
    return ends;
  }

  Result<Values> FindEdges(const MergeMap& wanted, const Ends& ends) {
    if (ends.out == nullptr && ends.in == nullptr) return FindAll(ElementKind::kEdge, wanted);
    const bool by_out = ends.out != nullptr;
    const ElementKey key = (by_out ? ends.out : ends.in)->key();
    std::vector<std::string> labels;
    if (wanted.label.has_value()) labels.push_back(*wanted.label);
    ORRERY_ASSIGN(const auto edges,
                  run().graph().EdgesOf({&key, 1},
                                        by_out ? EdgeDirection::kOut : EdgeDirection::kIn, labels));
    Values found;
    for (const auto& edge : edges) {
      if (ends.in != nullptr && !(edge->in.key() == ends.in->key())) continue;
      if (IsWanted(Value(edge), wanted)) found.emplace_back(edge);
    }
    return found;
  }

  Result<Value> Create(const ValueMap& search, const Traverser& at) {
    ORRERY_ASSIGN(const ValueMap creation, CreationMap(search, at));
    ORRERY_ASSIGN(MergeMap made, TakeApart(creation, "mergeE"));
    ORRERY_ASSIGN(const Ends ends, EndsOf(made, at));
    const bool has_vertex = FillsEnds(at);
    if (made.out.is_null() && !has_vertex)
      return Fail(Code::kInvalidArgument, "Out Vertex not specified - edge cannot be created");
    if (made.in.is_null() && !has_vertex)
      return Fail(Code::kInvalidArgument, "In Vertex not specified - edge cannot be created");
    if (ends.is_missing)
      return Fail(Code::kInvalidArgument, "Vertex id could not be resolved from mergeE: " +
                                              ToText(ends.out == nullptr ? made.out : made.in));
    std::vector<Property> properties;
    for (auto& [key, value] : made.properties) properties.push_back({key, Plain(value)});
    return run().graph().AddEdge(made.id, made.label.value_or("edge"), *ends.out, *ends.in,
                                 std::move(properties));
  }
};

}  // namespace

MadeOperator MakeMergeOperator(Run& run, const Step& step, const Pipeline& pipeline) {
  if (step.name != "mergeV" && step.name != "mergeE") return nullptr;
  if (step.args.size() > 1)
    return Fail(Code::kInvalidArgument, step.name + "() takes a map or a traversal");
  if (step.name == "mergeV") return std::make_unique<MergeVertexOperator>(run, step, pipeline);
  return std::make_unique<MergeEdgeOperator>(run, step, pipeline);
}

}  // namespace orrery::gremlin
