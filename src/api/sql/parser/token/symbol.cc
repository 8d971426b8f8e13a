#include "api/sql/parser/token/symbol.h"

#include <cstddef>
#include <iterator>

namespace orrery::sql {
namespace {

// Indexed by symbol.
constexpr std::string_view kTexts[] = {
    "",  ">>>", ">>", "<<", ">=", "<=", "!=", "<>", "??", "||", "(", ")", "[", "]", "{", "}",
    ",", ".",   ":",  "?",  "=",  "<",  ">",  "+",  "-",  "*",  "/", "%", "|", "&", "^", "~"};
static_assert(std::size(kTexts) == static_cast<size_t>(Symbol::kTilde) + 1);

}  // namespace

std::string_view SymbolText(Symbol symbol) { return kTexts[static_cast<size_t>(symbol)]; }

Symbol FindSymbol(std::string_view text) {
  for (size_t i = 1; i < std::size(kTexts); ++i) {
    if (text.starts_with(kTexts[i])) return static_cast<Symbol>(i);
  }
  return Symbol::kNone;
}

}  // namespace orrery::sql
