// Texts of any content: a tree or an error. What is printed of a tree must parse again, and print
// the same.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "api/sql/parser/parser.h"
#include "api/sql/parser/print/print.h"
#include "base/check.h"

namespace {

// Printed text may be longer and have more parentheses than the original.
constexpr orrery::sql::ParserLimits kPrintedLimits = {.query_characters_max = 16 << 20,
                                                      .nesting_max = 2 * 800 + 10};

template <typename Parse, typename Print>
void CheckRoundTrip(std::string_view text, Parse parse, Print print) {
  const auto tree = parse(text, orrery::sql::ParserLimits{});
  if (!tree.has_value()) {
    ORRERY_CHECK(tree.error().start <= tree.error().end && tree.error().end <= text.size());
    return;
  }
  const std::string printed = print(*tree);
  const auto again = parse(printed, kPrintedLimits);
  ORRERY_CHECK(again.has_value());
  ORRERY_CHECK(print(*again) == printed);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace orrery::sql;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  CheckRoundTrip(text, ParseQuery, PrintQuery);
  CheckRoundTrip(text, ParseExpression, PrintExpression);
  return 0;
}
