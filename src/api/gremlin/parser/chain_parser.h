// A ChainParser reads chains of calls and their arguments. Internal to the parser.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "api/gremlin/parser/parser.h"
#include "api/gremlin/parser/scanner.h"
#include "query/lexer/nesting.h"

namespace orrery::gremlin {

class ChainParser {
 public:
  ChainParser(std::string_view text, const ParserContext& context)
      : scanner_(text), context_(context), nesting_(kNestingMax) {}

  // One query up to a semicolon, the next query or the end.
  Result<ParsedQuery> TakeQuery();
  Scanner& scanner() { return scanner_; }

 private:
  // "name(args)" with the name read already.
  Result<Instruction> TakeCall(std::string_view name);
  Result<Values> TakeArguments();
  Result<Value> TakeArgument();
  Result<Value> TakeSimpleArgument();
  Result<Value> TakeNamed();                          // an argument that begins with a name
  Result<Value> TakeFunction(std::string_view name);  // name( ... as an argument
  Result<Value> TakeQualified(std::string name);      // name . ... as an argument
  Result<Value> TakeNew();                            // new X(...)
  Result<Value> TakeStrategy(std::string name);       // settings in parentheses, or none
  Result<Value> TakeStrategyBuilder(std::string name);
  Result<Value> TakeTraversal(std::optional<std::string_view> first_call);
  Result<Value> TakeRootTraversal();
  Result<Value> TakePredicate(std::string_view name);
  Result<Value> TakePredicateTail(Value predicate);
  Result<Value> TakeListOrMap();
  Result<Value> TakeMapRest(Value first_key);
  Result<std::optional<Value>> TakeNakedKey();
  Result<Value> TakeSet();
  Status TakeTransaction(ParsedQuery& query);
  Status TakeTerminal(std::string_view name, ParsedQuery& query);
  // A strategy wants what an argument named `key` is.
  void Put(ValueMap& settings, std::string_view key, Value value);
  bool IsSource(std::string_view name) const;

  Scanner scanner_;
  const ParserContext& context_;
  query::Nesting nesting_;
  size_t calls_ = 0;
};

}  // namespace orrery::gremlin
