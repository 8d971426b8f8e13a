// CQL texts of any content: a tree or an error. What is printed of a tree must parse again, and
// print the same.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "api/cassandra/parser/parser.h"
#include "api/cassandra/parser/print/print.h"
#include "base/check.h"

namespace {

template <typename Parse, typename Print>
void CheckRoundTrip(std::string_view text, Parse parse, Print print) {
  const auto tree = parse(text, orrery::cassandra::ParserLimits{});
  if (!tree.has_value()) return;
  const std::string printed = print(*tree);
  const auto again = parse(printed, orrery::cassandra::ParserLimits{});
  ORRERY_CHECK(again.has_value());
  ORRERY_CHECK(print(*again) == printed);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace orrery::cassandra;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  (void)ParseStatement(text);
  CheckRoundTrip(text, ParseType, PrintType);
  CheckRoundTrip(text, ParseTerm, PrintTerm);
  CheckRoundTrip(text, ParseSelection, PrintTerm);
  CheckRoundTrip(text, ParseWhere, PrintWhere);
  return 0;
}
