// addV, addE, property and drop. Writes stay in the transaction until the request ends.
#include <algorithm>

#include "api/gremlin/executor/child.h"
#include "api/gremlin/executor/families.h"
#include "api/gremlin/value/element.h"
#include "api/gremlin/value/relation.h"
#include "api/gremlin/value/text.h"

namespace orrery::gremlin {
namespace {

// The arguments of property(), with its traversals run.
struct Assignment {
  std::string cardinality;
  Value key;
  Value value;
  std::vector<Property> meta;
};

Result<std::optional<Value>> FirstOf(Run& run, const Child& child, const Traverser& at) {
  ORRERY_ASSIGN(const ChildResults results, RunChild(run, *child, {at}, ChildNeed::kFirst));
  if (results.front().empty()) return std::nullopt;
  return results.front().front().value;
}

Result<std::optional<Assignment>> Evaluate(Run& run, const PropertyCall& call,
                                           const Traverser& at) {
  Assignment assignment{
      .cardinality = call.cardinality, .key = call.key, .value = call.value, .meta = {}};
  if (call.key_child != nullptr) {
    ORRERY_ASSIGN(const std::optional<Value> key, FirstOf(run, call.key_child, at));
    if (!key.has_value()) return std::nullopt;
    assignment.key = *key;
  }
  if (call.value_child != nullptr) {
    ORRERY_ASSIGN(const std::optional<Value> value, FirstOf(run, call.value_child, at));
    if (!value.has_value()) return std::nullopt;
    assignment.value = *value;
  }
  if (assignment.value.type() == Type::kCardinality) {
    const CardinalityValue wrapped = assignment.value.AsCardinality();
    assignment.cardinality = wrapped.cardinality;
    assignment.value = wrapped.value;
  }
  for (size_t i = 0; i < call.meta.size(); ++i) {
    Value value = call.meta[i].second;
    if (call.meta_children[i] != nullptr) {
      ORRERY_ASSIGN(const std::optional<Value> made, FirstOf(run, call.meta_children[i], at));
      if (!made.has_value()) continue;
      value = *made;
    }
    assignment.meta.push_back({call.meta[i].first, std::move(value)});
  }
  return assignment;
}

bool IsIdKey(const Value& key) {
  return key.is_enum("T", "id") || (key.is_string() && key.AsString() == "id");
}
bool IsLabelKey(const Value& key) {
  return key.is_enum("T", "label") || (key.is_string() && key.AsString() == "label");
}

// The properties behind addV() or addE(), taken together.
struct NewElement {
  Value id;
  std::string label;
  std::vector<Assignment> properties;
};

Result<NewElement> Describe(Run& run, const Step& step, const Traverser& at,
                            std::string_view fallback) {
  NewElement element{.id = {}, .label = std::string(fallback), .properties = {}};
  if (!step.args.empty()) {
    Value label = step.args.front();
    if (step.children.front() != nullptr) {
      ORRERY_ASSIGN(const std::optional<Value> made, FirstOf(run, step.children.front(), at));
      label = made.value_or(Value::Null());
    }
    if (label.is_string()) {
      element.label = label.AsString();
    } else if (!label.is_null()) {
      return Fail(Code::kInvalidArgument, "a label is a string, not " + ToText(label));
    }
  }
  for (const PropertyCall& call : step.properties) {
    ORRERY_ASSIGN(std::optional<Assignment> assignment, Evaluate(run, call, at));
    if (!assignment.has_value() || assignment->value.is_null()) continue;
    if (IsIdKey(assignment->key)) {
      element.id = assignment->value;
    } else if (IsLabelKey(assignment->key)) {
      element.label = ToText(assignment->value);
    } else if (!assignment->key.is_string()) {
      return Fail(Code::kInvalidArgument,
                  "the key of a property is a string, not " + ToText(assignment->key));
    } else {
      element.properties.push_back(*std::move(assignment));
    }
  }
  return element;
}

class AddVertexOperator final : public BatchOperator {
 public:
  using BatchOperator::BatchOperator;

 protected:
  Status Process(Batch in, Batch& out) override {
    for (const Traverser& traverser : in) {
      for (int64_t n = 0; n < traverser.bulk; ++n) {
        ORRERY_ASSIGN(NewElement element, Describe(run(), step(), traverser, "vertex"));
        std::vector<VertexProperty> properties;
        // As in TinkerPop: keys that repeat make a list, until a property says how it is added.
        bool is_plain = true;
        for (Assignment& each : element.properties) {
          const std::string key = each.key.AsString();
          const auto same = [&](const VertexProperty& p) { return p.key == key; };
          is_plain = is_plain && each.cardinality.empty() && each.meta.empty();
          if (!is_plain && (each.cardinality.empty() || each.cardinality == "single"))
            std::erase_if(properties, same);
          if (each.cardinality == "set" &&
              std::ranges::any_of(properties, [&](const VertexProperty& p) {
                return p.key == key && Equals(p.value, each.value);
              }))
            continue;
          properties.push_back(
              {.id = {}, .key = key, .value = std::move(each.value), .meta = std::move(each.meta)});
        }
        ORRERY_ASSIGN(Value vertex,
                      run().graph().AddVertex(std::move(element.id), std::move(element.label),
                                              std::move(properties)));
        ORRERY_ASSIGN(Traverser moved, run().Moved(traverser, vertex));
        moved.bulk = 1;
        if (traverser.path == nullptr) moved.path = run().Start(vertex, moved.tag).path;
        out.push_back(std::move(moved));
      }
    }
    return {};
  }
};

class AddEdgeOperator final : public BatchOperator {
 public:
  using BatchOperator::BatchOperator;

 protected:
  Status Process(Batch in, Batch& out) override {
    if (step().args.size() != 1) return Fail(Code::kInvalidArgument, "addE() takes a label");
    for (const Traverser& traverser : in) {
      for (int64_t n = 0; n < traverser.bulk; ++n) {
        ORRERY_ASSIGN(NewElement element, Describe(run(), step(), traverser, "edge"));
        ORRERY_ASSIGN(const auto from, EndOf(step().from, "from", element.label, traverser));
        ORRERY_ASSIGN(const auto to, EndOf(step().to, "to", element.label, traverser));
        std::vector<Property> properties;
        for (Assignment& each : element.properties)
          properties.push_back({each.key.AsString(), std::move(each.value)});
        ORRERY_ASSIGN(const Value edge,
                      run().graph().AddEdge(std::move(element.id), std::move(element.label), *from,
                                            *to, std::move(properties)));
        ORRERY_ASSIGN(Traverser moved, run().Moved(traverser, edge));
        moved.bulk = 1;
        if (traverser.path == nullptr) moved.path = run().Start(edge, moved.tag).path;
        out.push_back(std::move(moved));
      }
    }
    return {};
  }

 private:
  Result<std::shared_ptr<const Vertex>> EndOf(const std::optional<End>& end, std::string_view name,
                                              const std::string& label, const Traverser& at) {
    Value value = at.value;
    if (end.has_value()) {
      if (!end->label.empty()) {
        value = ScopeValue(run(), at, end->label, Pop::kLast).value_or(Value::Null());
      } else if (end->traversal != nullptr) {
        ORRERY_ASSIGN(const std::optional<Value> made, FirstOf(run(), end->traversal, at));
        value = made.value_or(Value::Null());
      } else {
        value = end->vertex;
      }
    }
    value = run().graph().Newest(value);
    if (value.type() != Type::kVertex) {
      return Fail(Code::kInvalidArgument,
                  "The value given to addE(" + label + ")." + std::string(name) +
                      "() must resolve to a Vertex but " +
                      (value.is_null() ? "null" : ToText(value)) + " was specified instead");
    }
    if (!value.AsVertex()->partition.is_null()) return value.AsVertex();
    // A reference that a client sent: only its id is known.
    ElementQuery query{.kind = ElementKind::kVertex};
    query.ids = std::vector<std::string>{IdText(value.AsVertex()->id)};
    ORRERY_ASSIGN(const auto cursor, run().graph().Find(query));
    // The cursor may give more than was asked for, also what this request has written.
    while (true) {
      Values found;
      ORRERY_TRY(cursor->Next(2, found));
      if (found.empty()) break;
      for (const Value& each : found) {
        if (IdText(each.AsVertex()->id) == query.ids->front()) return each.AsVertex();
      }
    }
    return Fail(Code::kInvalidArgument, "no vertex has the id " + ToText(value.AsVertex()->id));
  }
};

class PropertyOperator final : public BatchOperator {
 public:
  using BatchOperator::BatchOperator;

 protected:
  Status Process(Batch in, Batch& out) override {
    for (Traverser& traverser : in) {
      for (const PropertyCall& call : step().properties) {
        ORRERY_ASSIGN(const std::optional<Assignment> assignment, Evaluate(run(), call, traverser));
        if (!assignment.has_value()) continue;
        if (!assignment->key.is_string() || IsIdKey(assignment->key) ||
            IsLabelKey(assignment->key)) {
          return Fail(Code::kInvalidArgument,
                      "T.id is immutable on existing elements, and so is T.label: property() with "
                      "them must directly follow addV() or addE()");
        }
        const std::string cardinality =
            assignment->cardinality.empty() ? "single" : assignment->cardinality;
        ORRERY_ASSIGN(traverser.value, run().graph().SetProperty(
                                           traverser.value, cardinality, assignment->key.AsString(),
                                           assignment->value, assignment->meta));
      }
      out.push_back(std::move(traverser));
    }
    return {};
  }
};

class DropOperator final : public BarrierOperator {
 public:
  using BarrierOperator::BarrierOperator;

 protected:
  Status Gather(Batch in, Batch&) override {
    for (const Traverser& traverser : in) ORRERY_TRY(run().graph().Remove(traverser.value));
    return {};
  }
};

}  // namespace

MadeOperator MakeMutationOperator(Run& run, const Step& step, const Pipeline& pipeline) {
  if (step.name == "addV") return std::make_unique<AddVertexOperator>(run, step, pipeline);
  if (step.name == "addE") return std::make_unique<AddEdgeOperator>(run, step, pipeline);
  if (step.name == "property") return std::make_unique<PropertyOperator>(run, step, pipeline);
  if (step.name == "drop") return std::make_unique<DropOperator>(run, step, pipeline);
  return nullptr;
}

}  // namespace orrery::gremlin
