// Predicates, collections and strategies as arguments.
#include "api/gremlin/parser/chain_parser.h"
#include "api/gremlin/parser/enumerations.h"
#include "api/gremlin/value/element.h"
#include "query/lexer/character_class.h"

namespace orrery::gremlin {

Result<Value> ChainParser::TakePredicate(std::string_view name) {
  const std::string function(name);
  ORRERY_TRY(scanner_.Expect("("));
  ORRERY_ASSIGN(Values args, TakeArguments());
  Result<Value> predicate = MakePredicate(function, std::move(args));
  if (!predicate.has_value()) return scanner_.Failure(predicate.error().message());
  return predicate;
}

Result<Value> ChainParser::TakePredicateTail(Value predicate) {
  while (scanner_.Peek() == '.' && scanner_.Peek(1) != '.' && scanner_.Take(".")) {
    const std::string name(scanner_.PeekName());
    if (name != "and" && name != "or" && name != "negate")
      return scanner_.Failure("expected and(), or() or negate() after a predicate");
    scanner_.TakeName();
    ORRERY_TRY(scanner_.Expect("("));
    ORRERY_ASSIGN(const Values args, TakeArguments());
    Predicate joined;
    joined.parts.push_back(predicate.predicate());
    if (name == "negate") {
      if (!args.empty()) return scanner_.Failure("negate() takes no arguments");
      joined.comparison = Comparison::kNot;
    } else {
      if (args.size() != 1 || args.front().type() != Type::kPredicate)
        return scanner_.Failure(name + "() takes one predicate");
      joined.comparison = name == "and" ? Comparison::kAnd : Comparison::kOr;
      joined.parts.push_back(args.front().predicate());
    }
    predicate = Value(std::make_shared<const Predicate>(std::move(joined)));
  }
  return predicate;
}

// A name before a colon: a string, but id, label, from and to are the constants.
Result<std::optional<Value>> ChainParser::TakeNakedKey() {
  if (!scanner_.AtName() || !scanner_.NameIsFollowedBy(':')) return std::nullopt;
  const std::string name(scanner_.TakeName());
  if (name == "id" || name == "label") return Value::Enum("T", name);
  if (name == "from") return Value::Enum("Direction", "OUT");
  if (name == "to") return Value::Enum("Direction", "IN");
  return Value::String(name);
}

Result<Value> ChainParser::TakeListOrMap() {
  scanner_.Take("[");
  if (scanner_.Take("]")) return Value::List({});
  if (scanner_.Take(":")) {
    ORRERY_TRY(scanner_.Expect("]"));
    return Value::Map({});
  }
  ORRERY_ASSIGN(std::optional<Value> key, TakeNakedKey());
  if (key.has_value()) return TakeMapRest(*std::move(key));
  ORRERY_ASSIGN(Value first, TakeArgument());
  if (scanner_.Peek() == ':') return TakeMapRest(std::move(first));
  Values items = {std::move(first)};
  while (scanner_.Take(",")) {
    ORRERY_ASSIGN(Value item, TakeArgument());
    items.push_back(std::move(item));
  }
  ORRERY_TRY(scanner_.Expect("]"));
  return Value::List(std::move(items));
}

Result<Value> ChainParser::TakeMapRest(Value first_key) {
  ValueMap map;
  Value key = std::move(first_key);
  while (true) {
    ORRERY_TRY(scanner_.Expect(":"));
    ORRERY_ASSIGN(Value value, TakeArgument());
    map.Set(std::move(key), std::move(value));
    if (!scanner_.Take(",")) break;
    ORRERY_ASSIGN(std::optional<Value> naked, TakeNakedKey());
    if (naked.has_value()) {
      key = *std::move(naked);
    } else {
      ORRERY_ASSIGN(key, TakeArgument());
    }
  }
  ORRERY_TRY(scanner_.Expect("]"));
  return Value::Map(std::move(map));
}

Result<Value> ChainParser::TakeSet() {
  scanner_.Take("{");
  Values items;
  if (!scanner_.Take("}")) {
    do {
      ORRERY_ASSIGN(Value item, TakeArgument());
      items.push_back(std::move(item));
    } while (scanner_.Take(","));
    ORRERY_TRY(scanner_.Expect("}"));
  }
  return MakeSet(items);
}

Result<Value> ChainParser::TakeNew() {
  std::string name(scanner_.TakeName());
  while (scanner_.Take(".")) name = std::string(scanner_.TakeName());
  if (name.ends_with("Strategy")) return TakeStrategy(std::move(name));
  if (name == "Vertex" || name == "ReferenceVertex") {
    ORRERY_TRY(scanner_.Expect("("));
    ORRERY_ASSIGN(const Values args, TakeArguments());
    if (args.empty() || args.size() > 2) return scanner_.Failure("new Vertex(id, label)");
    Vertex vertex;
    vertex.id = args.front();
    vertex.label = args.size() == 2 && args[1].is_string() ? args[1].AsString() : "vertex";
    if (!IsIdType(vertex.id.type())) return scanner_.Failure("malformed id of a vertex");
    return Value(std::make_shared<const Vertex>(std::move(vertex)));
  }
  return scanner_.Failure("'new " + name + "' is not available; strategies and vertices are");
}

void ChainParser::Put(ValueMap& settings, std::string_view key, Value value) {
  settings.Set(key, std::move(value));
}

Result<Value> ChainParser::TakeStrategy(std::string name) {
  Strategy strategy{.name = std::move(name), .settings = {}};
  if (scanner_.Take("(")) {
    if (!scanner_.Take(")")) {
      do {
        if (!scanner_.AtName()) return scanner_.Failure("expected the name of a setting");
        const std::string key(scanner_.TakeName());
        ORRERY_TRY(scanner_.Expect(":"));
        ORRERY_ASSIGN(Value value, TakeArgument());
        Put(strategy.settings, key, std::move(value));
      } while (scanner_.Take(","));
      ORRERY_TRY(scanner_.Expect(")"));
    }
  }
  return Value(std::make_shared<const Strategy>(std::move(strategy)));
}

// XStrategy.build().setting(value)....create()
Result<Value> ChainParser::TakeStrategyBuilder(std::string name) {
  Strategy strategy{.name = std::move(name), .settings = {}};
  ORRERY_TRY(scanner_.Expect("("));
  ORRERY_TRY(scanner_.Expect(")"));
  while (scanner_.Take(".")) {
    const std::string setting(scanner_.PeekName());
    if (setting.empty()) return scanner_.Failure("expected the name of a setting");
    scanner_.TakeName();
    ORRERY_TRY(scanner_.Expect("("));
    ORRERY_ASSIGN(Values args, TakeArguments());
    if (setting == "create") return Value(std::make_shared<const Strategy>(std::move(strategy)));
    Put(strategy.settings, setting,
        args.size() == 1 ? std::move(args.front()) : Value::List(std::move(args)));
  }
  return scanner_.Failure("a strategy's builder ends with create()");
}

}  // namespace orrery::gremlin
