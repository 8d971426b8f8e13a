#include "api/gremlin/parser/chain_parser.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "api/gremlin/parser/enumerations.h"
#include "api/gremlin/parser/step_names.h"
#include "api/gremlin/value/element.h"
#include "api/gremlin/value/text.h"
#include "query/lexer/character_class.h"

namespace orrery::gremlin {
namespace {

constexpr std::string_view kOnlyGremlin =
    "only Gremlin is evaluated here, no Groovy: closures, assignments and classes of Java are not "
    "available; use steps, anonymous traversals (__.values('name')) and bindings instead";

bool IsCardinality(std::string_view name) {
  return name == "single" || name == "list" || name == "set";
}

bool IsPredicateName(std::string_view name) {
  Comparison ignored{};
  return ComparisonOf(name, ignored) && name != "and" && name != "or" && name != "not";
}

std::shared_ptr<const Predicate> Negation(const std::shared_ptr<const Predicate>& predicate) {
  return std::make_shared<const Predicate>(
      Predicate{.comparison = Comparison::kNot, .values = {}, .parts = {predicate}});
}

}  // namespace

bool ChainParser::IsSource(std::string_view name) const {
  return std::ranges::find(context_.sources, name) != context_.sources.end();
}

Result<ParsedQuery> ChainParser::TakeQuery() {
  if (!scanner_.AtName()) {
    if (scanner_.AtString()) {
      ORRERY_ASSIGN(const std::string text, scanner_.TakeString());
      if (text.empty()) return ParsedQuery{};  // drivers probe a connection by it
    }
    return scanner_.Failure("a query begins with the traversal source, such as g.V()");
  }
  const std::string name(scanner_.PeekName());
  if (!IsSource(name)) {
    return scanner_.Failure("No such property: " + name + "; " + std::string(kOnlyGremlin));
  }
  scanner_.TakeName();
  ParsedQuery query{.source = name};
  while (scanner_.Take(".")) {
    if (!scanner_.AtName()) return scanner_.Failure("expected the name of a step");
    const std::string call(scanner_.PeekName());
    const bool spawned = !query.bytecode.steps.empty();
    if (!spawned && call == "tx") {
      ORRERY_TRY(TakeTransaction(query));
      return query;
    }
    if (IsTerminalName(call) || call == "toString") {
      ORRERY_TRY(TakeTerminal(call, query));
      return query;
    }
    const bool is_source_step = !spawned && IsSourceStepName(call);
    if (!is_source_step && !IsStepName(call)) return scanner_.Failure(UnknownStep(call));
    scanner_.TakeName();
    ORRERY_ASSIGN(Instruction instruction, TakeCall(call));
    (is_source_step ? query.bytecode.source : query.bytecode.steps)
        .push_back(std::move(instruction));
  }
  if (scanner_.Peek() == '{') return scanner_.Failure(kOnlyGremlin);
  return query;
}

Status ChainParser::TakeTransaction(ParsedQuery& query) {
  scanner_.TakeName();
  ORRERY_TRY(scanner_.Expect("("));
  ORRERY_TRY(scanner_.Expect(")"));
  ORRERY_TRY(scanner_.Expect("."));
  const std::string_view call = scanner_.PeekName();
  if (call == "begin") {
    query.transaction = TransactionCall::kBegin;
  } else if (call == "commit") {
    query.transaction = TransactionCall::kCommit;
  } else if (call == "rollback") {
    query.transaction = TransactionCall::kRollback;
  } else {
    return scanner_.Failure("expected begin(), commit() or rollback() after tx()");
  }
  scanner_.TakeName();
  ORRERY_TRY(scanner_.Expect("("));
  return scanner_.Expect(")");
}

Status ChainParser::TakeTerminal(std::string_view name, ParsedQuery& query) {
  const std::string terminal(name);
  scanner_.TakeName();
  ORRERY_TRY(scanner_.Expect("("));
  ORRERY_ASSIGN(const Values args, TakeArguments());
  if (terminal == "next" && args.size() == 1 && args.front().is_integer()) {
    query.next_count = args.front().AsInteger();
  } else if (!args.empty()) {
    return scanner_.Failure(terminal + "() takes no arguments");
  }
  query.terminal = terminal == "next"       ? Terminal::kNext
                   : terminal == "toSet"    ? Terminal::kToSet
                   : terminal == "iterate"  ? Terminal::kIterate
                   : terminal == "hasNext"  ? Terminal::kHasNext
                   : terminal == "tryNext"  ? Terminal::kTryNext
                   : terminal == "explain"  ? Terminal::kExplain
                   : terminal == "toString" ? Terminal::kToString
                                            : Terminal::kToList;
  if (scanner_.Peek() == '.') return scanner_.Failure("nothing may follow " + terminal + "()");
  return {};
}

Result<Instruction> ChainParser::TakeCall(std::string_view name) {
  if (++calls_ > kScriptCallsMax) {
    return scanner_.Failure("the script has more than " + std::to_string(kScriptCallsMax) +
                            " calls: split it");
  }
  Instruction instruction{.name = std::string(name), .args = {}};
  if (scanner_.Peek() == '{') return scanner_.Failure(kOnlyGremlin);
  ORRERY_TRY(scanner_.Expect("("));
  ORRERY_ASSIGN(instruction.args, TakeArguments());
  return instruction;
}

Result<Values> ChainParser::TakeArguments() {
  Values args;
  if (scanner_.Take(")")) return args;
  do {
    ORRERY_ASSIGN(Value value, TakeArgument());
    args.push_back(std::move(value));
  } while (scanner_.Take(","));
  ORRERY_TRY(scanner_.Expect(")"));
  return args;
}

Result<Value> ChainParser::TakeArgument() {
  const query::NestingLevel level(nesting_);
  if (!level.ok()) {
    return scanner_.Failure("the script is nested more than " + std::to_string(kNestingMax) +
                            " levels deep");
  }
  ORRERY_ASSIGN(Value value, TakeSimpleArgument());
  if (scanner_.Peek() != '.' || scanner_.Peek(1) != '.') return value;
  // A range is the list of its members.
  scanner_.Take("..");
  ORRERY_ASSIGN(const Value last, TakeSimpleArgument());
  constexpr int64_t kRangeMax = 100'000;
  Values items;
  if (value.is_integer() && last.is_integer()) {
    const int64_t from = value.AsInteger();
    const int64_t to = last.AsInteger();
    if (std::fabs(static_cast<double>(to) - static_cast<double>(from)) > kRangeMax)
      return scanner_.Failure("the range is too long");
    for (int64_t i = from; from <= to ? i <= to : i >= to; i += from <= to ? 1 : -1)
      items.push_back(Value::Whole(i));
  } else if (value.is_string() && last.is_string() && value.AsString().size() == 1 &&
             last.AsString().size() == 1) {
    for (int c = value.AsString().front(); c <= last.AsString().front(); ++c)
      items.push_back(Value::String(std::string(1, static_cast<char>(c))));
  } else {
    return scanner_.Failure("a range is between two whole numbers or two characters");
  }
  return Value::List(std::move(items));
}

Result<Value> ChainParser::TakeSimpleArgument() {
  if (scanner_.AtString()) {
    ORRERY_ASSIGN(std::string text, scanner_.TakeString());
    return Value::String(std::move(text));
  }
  if (scanner_.AtNumber()) return scanner_.TakeNumber();
  for (const char sign : {'-', '+'}) {
    if (scanner_.Peek() != sign) continue;
    scanner_.Take(std::string_view(&sign, 1));
    if (scanner_.PeekName() != "Infinity") return scanner_.Failure("malformed number");
    scanner_.TakeName();
    const double infinity = std::numeric_limits<double>::infinity();
    return Value::Double(sign == '-' ? -infinity : infinity);
  }
  if (scanner_.Peek() == '[') return TakeListOrMap();
  if (scanner_.Peek() == '{') return TakeSet();
  if (scanner_.Take("(")) {
    ORRERY_ASSIGN(Value value, TakeArgument());
    ORRERY_TRY(scanner_.Expect(")"));
    return value;
  }
  if (scanner_.AtName()) return TakeNamed();
  return scanner_.Failure(scanner_.at_end() ? "the query ends within a call"
                                            : "no viable alternative: expected an argument");
}

Result<Value> ChainParser::TakeNamed() {
  const std::string name(scanner_.PeekName());
  if (name == "__") {
    scanner_.TakeName();
    ORRERY_TRY(scanner_.Expect("."));
    return TakeTraversal(std::nullopt);
  }
  if (IsSource(name) && scanner_.NameIsFollowedBy('.')) return TakeRootTraversal();
  scanner_.TakeName();
  if (name == "true" || name == "false") return Value::Bool(name == "true");
  if (name == "null") return Value::Null();
  if (name == "NaN") return Value::Double(std::numeric_limits<double>::quiet_NaN());
  if (name == "Infinity") return Value::Double(std::numeric_limits<double>::infinity());
  if (name == "new") return TakeNew();
  if (scanner_.Peek() == '(') return TakeFunction(name);
  if (scanner_.Peek() == '.' && scanner_.Peek(1) != '.') return TakeQualified(name);
  if (auto constant = BareConstant(name); constant.has_value()) return *constant;
  if (const Value* bound = context_.bindings.Find(name); bound != nullptr) return *bound;
  if (name.ends_with("Strategy"))
    return Value(std::make_shared<const Strategy>(Strategy{.name = name, .settings = {}}));
  return scanner_.Failure("No variable found for " + name +
                          ": send its value in the request's bindings");
}

Result<Value> ChainParser::TakeFunction(std::string_view name) {
  if (IsPredicateName(name)) {
    ORRERY_ASSIGN(Value predicate, TakePredicate(name));
    return TakePredicateTail(std::move(predicate));
  }
  if (name == "datetime" || name == "UUID" || IsCardinality(name)) {
    const std::string function(name);
    scanner_.Take("(");
    ORRERY_ASSIGN(const Values args, TakeArguments());
    if (IsCardinality(function)) {
      if (args.size() != 1) return scanner_.Failure(function + "() takes one value");
      return Value(std::make_shared<const CardinalityValue>(CardinalityValue{function, args[0]}));
    }
    if (args.empty() && function == "datetime") return Value::Date(context_.now_ms);
    if (args.empty() && context_.new_uuid) return Value::Uuid(context_.new_uuid());
    if (args.size() != 1 || !args.front().is_string())
      return scanner_.Failure(function + "() takes one string");
    if (function == "UUID") {
      const auto uuid = ParseUuid(args.front().AsString());
      if (!uuid.has_value()) return scanner_.Failure("malformed UUID");
      return Value::Uuid(*uuid);
    }
    const auto date = ParseDate(args.front().AsString());
    if (!date.has_value())
      return scanner_.Failure("malformed date: expected ISO 8601, such as 2023-08-08T00:00:00Z");
    return Value::Date(*date);
  }
  if (name.ends_with("Strategy")) return TakeStrategy(std::string(name));
  return TakeTraversal(name);
}

Result<Value> ChainParser::TakeQualified(std::string name) {
  while (scanner_.Take(".")) {
    if (!scanner_.AtName()) return scanner_.Failure("expected a name after '" + name + ".'");
    const std::string member(scanner_.TakeName());
    if (name == "P" || name == "TextP") {
      if (!IsPredicateName(member) && member != "not")
        return scanner_.Failure("no predicate is called " + name + "." + member);
      ORRERY_ASSIGN(Value predicate, TakePredicate(member));
      return TakePredicateTail(std::move(predicate));
    }
    if (name.ends_with("Strategy")) {
      if (member == "build") return TakeStrategyBuilder(std::move(name));
      if (member != "instance")
        return scanner_.Failure("expected build() or instance() after " + name);
      ORRERY_TRY(scanner_.Expect("("));
      ORRERY_TRY(scanner_.Expect(")"));
      return Value(std::make_shared<const Strategy>(Strategy{.name = name, .settings = {}}));
    }
    if (name == "Cardinality" && IsCardinality(member) && scanner_.Peek() == '(')
      return TakeFunction(member);
    if (IsEnumeration(name)) {
      auto constant = QualifiedConstant(name, member);
      if (!constant.has_value())
        return scanner_.Failure(name + " has no constant '" + member + "'");
      return *constant;
    }
    // VertexProperty.Cardinality.single and the like: the last two names count.
    name = member;
  }
  return scanner_.Failure("'" + name + "' is not known here; " + std::string(kOnlyGremlin));
}

Result<Value> ChainParser::TakeTraversal(std::optional<std::string_view> first_call) {
  Bytecode traversal;
  std::optional<std::string> next;
  if (first_call.has_value()) next = std::string(*first_call);
  do {
    if (!next.has_value()) {
      if (!scanner_.AtName()) return scanner_.Failure("expected the name of a step");
      next = std::string(scanner_.PeekName());
      if (IsTerminalName(*next)) {
        ParsedQuery ignored;
        ORRERY_TRY(TakeTerminal(*next, ignored));
        break;
      }
      scanner_.TakeName();
    }
    // not(P) is a predicate, not(traversal) a step.
    if (!IsStepName(*next)) return scanner_.Failure(UnknownStep(*next));
    ORRERY_ASSIGN(Instruction call, TakeCall(*next));
    if (*next == "not" && traversal.steps.empty() && call.args.size() == 1 &&
        call.args.front().type() == Type::kPredicate)
      return TakePredicateTail(Value(Negation(call.args.front().predicate())));
    traversal.steps.push_back(std::move(call));
    next.reset();
  } while (scanner_.Peek() == '.' && scanner_.Peek(1) != '.' && scanner_.Take("."));
  return Value(std::make_shared<const Bytecode>(std::move(traversal)));
}

Result<Value> ChainParser::TakeRootTraversal() {
  ORRERY_ASSIGN(ParsedQuery query, TakeQuery());
  if (!query.bytecode.source.empty() || query.transaction != TransactionCall::kNone)
    return scanner_.Failure("a traversal used as a value cannot configure its source");
  if (query.terminal == Terminal::kNext && query.next_count.value_or(1) == 1)
    query.bytecode.steps.push_back({"limit", {Value::Int(1)}});
  return Value(std::make_shared<const Bytecode>(std::move(query.bytecode)));
}

}  // namespace orrery::gremlin
