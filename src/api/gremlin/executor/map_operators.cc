// Steps that make one value, or several, of each traverser without looking elsewhere.
#include <algorithm>

#include "api/gremlin/executor/child.h"
#include "api/gremlin/executor/families.h"
#include "api/gremlin/value/element.h"
#include "api/gremlin/value/text.h"

namespace orrery::gremlin {
namespace {

// Makes values of each traverser by a function.
class EachOperator final : public BatchOperator {
 public:
  using Make = std::function<Result<Values>(const Traverser&)>;
  EachOperator(Run& run, const Step& step, const Pipeline& pipeline, Make make)
      : BatchOperator(run, step, pipeline), make_(std::move(make)) {}

 protected:
  Status Process(Batch in, Batch& out) override {
    for (const Traverser& traverser : in) {
      ORRERY_ASSIGN(Values made, make_(traverser));
      for (Value& value : made) {
        ORRERY_ASSIGN(Traverser moved, run().Moved(traverser, std::move(value)));
        out.push_back(std::move(moved));
      }
    }
    return {};
  }

 private:
  const Make make_;
};

bool Wanted(const std::vector<std::string>& keys, std::string_view key) {
  return keys.empty() || std::ranges::find(keys, key) != keys.end();
}

Value RefOf(const VertexProperty& property, const std::shared_ptr<const Vertex>& owner) {
  return Value(std::make_shared<const VertexPropertyRef>(VertexPropertyRef{property, owner}));
}
Value RefOf(const Property& property, const Value& owner) {
  return Value(std::make_shared<const PropertyRef>(
      PropertyRef{Value::String(property.key), property.value, owner}));
}

std::unexpected<Error> NotElement(const Step& step, const Value& value) {
  return Fail(Code::kInvalidArgument, step.name + "() can only be applied to an element, not to " +
                                          std::string(TypeName(value.type())) + " " +
                                          ToText(value));
}

// The properties of an element that are wanted, as values.
Result<Values> PropertiesOf(const Run& run, const Step& step, const std::vector<std::string>& keys,
                            const Value& value) {
  Values found;
  const Value element = run.graph().Newest(value);
  switch (element.type()) {
    case Type::kNull:
      return found;
    case Type::kVertex:
      for (const VertexProperty& property : element.AsVertex()->properties) {
        if (Wanted(keys, property.key)) found.push_back(RefOf(property, element.AsVertex()));
      }
      return found;
    case Type::kEdge:
      for (const Property& property : element.AsEdge()->properties) {
        if (Wanted(keys, property.key)) found.push_back(RefOf(property, element));
      }
      return found;
    case Type::kVertexProperty:
      for (const Property& property : element.AsVertexProperty().property.meta) {
        if (Wanted(keys, property.key)) found.push_back(RefOf(property, element));
      }
      return found;
    default:
      return NotElement(step, element);
  }
}

Value ValueOf(const Value& property) {
  return property.type() == Type::kVertexProperty ? property.AsVertexProperty().property.value
                                                  : property.AsProperty().value;
}
std::string KeyOfProperty(const Value& property) {
  return property.type() == Type::kVertexProperty ? property.AsVertexProperty().property.key
                                                  : ToText(property.AsProperty().key);
}

Result<Values> ValuesOf(const Run& run, const Step& step, const std::vector<std::string>& keys,
                        const Value& value) {
  ORRERY_ASSIGN(const Values properties, PropertiesOf(run, step, keys, value));
  Values found;
  for (const Value& property : properties) found.push_back(ValueOf(property));
  // Properties that only look like ones: id, label and those of the store.
  for (const std::string& key : keys) {
    if (key != "id" && key != "label" && !key.starts_with('_')) continue;
    if (auto extra = PropertyValue(run, value, key); extra.has_value())
      found.push_back(*std::move(extra));
  }
  return found;
}

constexpr int64_t kTokenIds = 1;
constexpr int64_t kTokenLabels = 2;

// Returns which of T.id and T.label a map of properties includes.
int64_t TokensOf(const Step& step) {
  if (!step.args.empty() && step.args.front().type() == Type::kBool)
    return step.args.front().AsBool() ? 15 : 0;
  const Value* with = step.with.Find("~tinkerpop.valueMap.tokens");
  if (with == nullptr) return 0;
  return with->is_integer() ? with->AsInteger() : 15;
}

Result<Value> PropertyMapOf(Run& run, const Step& step, const std::vector<std::string>& keys,
                            int64_t tokens, const Traverser& traverser) {
  ValueMap map;
  const Value& value = traverser.value;
  if ((tokens & kTokenIds) != 0 && IdOf(value) != nullptr)
    map.Set(Value::Enum("T", "id"), *IdOf(value));
  if (value.type() == Type::kVertexProperty && tokens != 0) {
    map.Set(Value::Enum("T", "key"), Value::String(*LabelOf(value)));
    map.Set(Value::Enum("T", "value"), ValueOf(value));
  } else if ((tokens & kTokenLabels) != 0 && LabelOf(value) != nullptr) {
    map.Set(Value::Enum("T", "label"), Value::String(*LabelOf(value)));
  }
  ORRERY_ASSIGN(const Values properties, PropertiesOf(run, step, keys, value));
  const bool values = step.name == "valueMap";
  const bool lists = value.type() == Type::kVertex;
  for (const Value& property : properties) {
    const std::string key = KeyOfProperty(property);
    const Value item = values ? ValueOf(property) : property;
    if (!lists) {
      map.Set(key, item);
      continue;
    }
    Value* all = map.Find(Value::String(key));
    Values items = all == nullptr ? Values{} : all->AsItems();
    items.push_back(item);
    map.Set(key, Value::List(std::move(items)));
  }
  if (step.bys.empty()) return Value::Map(std::move(map));
  ValueMap modulated;
  size_t n = 0;
  for (const ValueMap::Entry& entry : map.entries()) {
    if (entry.key.type() == Type::kEnum) {
      modulated.Set(entry.key, entry.value);
      continue;
    }
    ORRERY_ASSIGN(const Looks looks, LookBy(run, ByAt(step, n++), {traverser}, {entry.value}));
    if (looks.front().has_value()) modulated.Set(entry.key, *looks.front());
  }
  return Value::Map(std::move(modulated));
}

Value StubMap(const VertexStub& stub) {
  ValueMap map;
  map.Set(Value::Enum("T", "id"), stub.id);
  map.Set(Value::Enum("T", "label"), Value::String(stub.label));
  return Value::Map(std::move(map));
}

Result<Value> ElementMapOf(const Run& run, const Step& step, const std::vector<std::string>& keys,
                           const Value& value) {
  if (!value.is_element()) return NotElement(step, value);
  ValueMap map;
  map.Set(Value::Enum("T", "id"), *IdOf(value));
  if (value.type() == Type::kVertexProperty) {
    map.Set(Value::Enum("T", "key"), Value::String(*LabelOf(value)));
    map.Set(Value::Enum("T", "value"), ValueOf(value));
  } else {
    map.Set(Value::Enum("T", "label"), Value::String(*LabelOf(value)));
  }
  if (value.type() == Type::kEdge) {
    map.Set(Value::Enum("Direction", "IN"), StubMap(value.AsEdge()->in));
    map.Set(Value::Enum("Direction", "OUT"), StubMap(value.AsEdge()->out));
  }
  ORRERY_ASSIGN(const Values properties, PropertiesOf(run, step, keys, value));
  for (const Value& property : properties) map.Set(KeyOfProperty(property), ValueOf(property));
  return Value::Map(std::move(map));
}

Values Unfolded(const Value& value) {
  if (value.is_collection()) return value.AsItems();
  if (value.type() == Type::kPath) return value.AsPath().objects;
  if (!value.is_map()) return {value};
  Values entries;
  for (const ValueMap::Entry& entry : value.AsMap().entries()) {
    entries.emplace_back(
        std::make_shared<const PropertyRef>(PropertyRef{entry.key, entry.value, {}}));
  }
  return entries;
}

Result<std::vector<std::string>> KeysOf(const Step& step) {
  std::vector<std::string> keys;
  for (const Value& arg : step.args) {
    if (arg.type() == Type::kBool || arg.is_null()) continue;
    if (!arg.is_string()) return Fail(Code::kInvalidArgument, step.name + "() takes property keys");
    keys.push_back(arg.AsString());
  }
  return keys;
}

Result<Values> Indexed(const Step& step, const Value& value) {
  const Value* option = step.with.Find("~tinkerpop.index.indexer");
  const bool as_map = option != nullptr && option->is_integer() && option->AsInteger() == 1;
  const Values items = value.is_collection() || value.is_map() ? Unfolded(value) : Values{value};
  ValueMap map;
  Values list;
  for (size_t i = 0; i < items.size(); ++i) {
    const Value at = Value::Int(static_cast<int32_t>(i));
    if (as_map) {
      map.Set(at, items[i]);
    } else {
      list.push_back(Value::List({items[i], at}));
    }
  }
  return Values{as_map ? Value::Map(std::move(map)) : Value::List(std::move(list))};
}

Result<Values> Loops(const Step& step, const Traverser& t) {
  if (step.args.empty())
    return Values{Value::Int(t.loops.empty() ? 0 : static_cast<int32_t>(t.loops.back().count))};
  for (const LoopCount& loop : t.loops) {
    if (step.args.front().is_string() && loop.name == step.args.front().AsString())
      return Values{Value::Int(static_cast<int32_t>(loop.count))};
  }
  return Fail(Code::kInvalidArgument, "loops() names no repeat() that is under way");
}

Result<Values> Token(const Step& step, const Traverser& t) {
  auto value = TokenValue(t.value, step.name);
  if (!value.has_value()) return NotElement(step, t.value);
  return Values{*std::move(value)};
}

}  // namespace

MadeOperator MakeMapOperator(Run& run, const Step& step, const Pipeline& pipeline) {
  const std::string& name = step.name;
  const auto make = [&](EachOperator::Make each) -> MadeOperator {
    return std::make_unique<EachOperator>(run, step, pipeline, std::move(each));
  };
  if (name == "id" || name == "label" || name == "key" || name == "value")
    return make([&step](const Traverser& t) { return Token(step, t); });
  if (name == "constant") {
    if (step.args.size() != 1) return Fail(Code::kInvalidArgument, "constant() takes one value");
    return make(
        [value = step.args.front()](const Traverser&) -> Result<Values> { return Values{value}; });
  }
  if (name == "unfold")
    return make([](const Traverser& t) -> Result<Values> { return Unfolded(t.value); });
  if (name == "index") return make([&step](const Traverser& t) { return Indexed(step, t.value); });
  if (name == "loops") return make([&step](const Traverser& t) { return Loops(step, t); });
  if (name == "element") {
    return make([&step](const Traverser& t) -> Result<Values> {
      if (t.value.type() == Type::kVertexProperty)
        return Values{Value(t.value.AsVertexProperty().owner)};
      if (t.value.type() == Type::kProperty && !t.value.AsProperty().owner.is_null())
        return Values{t.value.AsProperty().owner};
      return NotElement(step, t.value);
    });
  }
  if (name != "values" && name != "properties" && name != "valueMap" && name != "propertyMap" &&
      name != "elementMap")
    return nullptr;
  ORRERY_ASSIGN(std::vector<std::string> keys, KeysOf(step));
  if (name == "values")
    return make(
        [&run, &step, keys](const Traverser& t) { return ValuesOf(run, step, keys, t.value); });
  if (name == "properties")
    return make(
        [&run, &step, keys](const Traverser& t) { return PropertiesOf(run, step, keys, t.value); });
  return make([&run, &step, keys, tokens = TokensOf(step)](const Traverser& t) -> Result<Values> {
    ORRERY_ASSIGN(Value map, step.name == "elementMap" ? ElementMapOf(run, step, keys, t.value)
                                                       : PropertyMapOf(run, step, keys, tokens, t));
    return Values{std::move(map)};
  });
}

}  // namespace orrery::gremlin
