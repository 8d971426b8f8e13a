#include "api/gremlin/parser/parser.h"

#include "api/gremlin/parser/chain_parser.h"
#include "base/utf8.h"

namespace orrery::gremlin {

Result<std::vector<ParsedQuery>> ParseScript(std::string_view text, const ParserContext& context) {
  if (text.size() > kScriptBytesMax) {
    return Fail(Code::kTooLarge, "the Gremlin script has " + std::to_string(text.size()) +
                                     " bytes; at most " + std::to_string(kScriptBytesMax) +
                                     " are allowed: split it, or send values as bindings");
  }
  if (!IsUtf8(text)) return Fail(Code::kInvalidArgument, "the Gremlin script is not UTF-8");
  ChainParser parser(text, context);
  std::vector<ParsedQuery> queries;
  while (true) {
    while (parser.scanner().Take(";")) {
    }
    if (parser.scanner().at_end()) return queries;
    ORRERY_ASSIGN(ParsedQuery query, parser.TakeQuery());
    queries.push_back(std::move(query));
  }
}

}  // namespace orrery::gremlin
