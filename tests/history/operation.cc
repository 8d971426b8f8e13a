#include "history/operation.h"

#include <fmt/format.h>

namespace orrery::history {
namespace {

constexpr size_t kShownMax = 60;

std::string Shown(const Content& content) {
  if (!content.has_value()) return "nothing";
  std::string text;
  for (const char c : content->substr(0, kShownMax)) {
    const auto byte = static_cast<unsigned char>(c);
    text += byte < 0x20 || byte == 0x7f ? '?' : c;
  }
  return fmt::format("\"{}{}\"", text, content->size() > kShownMax ? "..." : "");
}

}  // namespace

std::vector<std::string_view> ElementsOf(std::string_view list) {
  std::vector<std::string_view> elements;
  while (true) {
    const size_t comma = list.find(',');
    elements.push_back(list.substr(0, comma));
    if (comma == std::string_view::npos) return elements;
    list.remove_prefix(comma + 1);
  }
}

std::string_view KindName(Kind kind) {
  switch (kind) {
    case Kind::kRead:
      return "read";
    case Kind::kWrite:
      return "write";
    case Kind::kCas:
      return "cas";
    case Kind::kAppend:
      return "append";
    case Kind::kDelete:
      return "delete";
  }
  return "?";
}

std::string_view OutcomeName(Outcome outcome) {
  switch (outcome) {
    case Outcome::kOk:
      return "ok";
    case Outcome::kMismatch:
      return "mismatch";
    case Outcome::kFail:
      return "fail";
    case Outcome::kUnknown:
      return "unknown";
  }
  return "?";
}

std::string Describe(const Operation& operation) {
  switch (operation.kind) {
    case Kind::kRead:
      return "read -> " + Shown(operation.value);
    case Kind::kDelete:
      return "delete";
    case Kind::kCas: {
      std::string text =
          fmt::format("cas {} -> {}", Shown(operation.expected), Shown(operation.value));
      if (operation.saw.has_value()) text += ", found " + Shown(*operation.saw);
      return text;
    }
    case Kind::kWrite:
    case Kind::kAppend:
      break;
  }
  return fmt::format("{} {}", KindName(operation.kind), Shown(operation.value));
}

}  // namespace orrery::history
