#include "api/mongo/server/statement_shape.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace orrery::mongo {
namespace {

struct ShapedCommand {
  std::string_view name;
  std::string_view statements;  // the array whose first element has the conditions; empty: none
};
constexpr std::array<ShapedCommand, 9> kShapedCommands = {{{"find", ""},
                                                           {"aggregate", ""},
                                                           {"count", ""},
                                                           {"distinct", ""},
                                                           {"findAndModify", ""},
                                                           {"findandmodify", ""},
                                                           {"insert", ""},
                                                           {"update", "updates"},
                                                           {"delete", "deletes"}}};
constexpr std::array<std::string_view, 9> kShapedArguments = {
    "filter", "query", "q", "sort", "projection", "pipeline", "key", "update", "u"};

void AppendShape(std::string& shape, const model::ElementView& element, size_t depth);

void AppendFields(std::string& shape, model::DocumentView document, bool is_array, size_t depth) {
  bool is_first = true;
  std::string_view last;
  for (const model::ElementView field : document) {
    if (shape.size() >= kShapeBytesMax) return;
    const bool is_whole =
        field.kind() != model::Kind::kObject && field.kind() != model::Kind::kArray;
    // Lists of values of any length are the same.
    if (is_array && is_whole && last == "?") continue;
    if (!is_first) shape += ", ";
    is_first = false;
    if (!is_array) {
      shape += field.name();
      shape += ": ";
    }
    AppendShape(shape, field, depth);
    last = is_whole ? "?" : "";
  }
}

void AppendShape(std::string& shape, const model::ElementView& element, size_t depth) {
  const bool is_array = element.kind() == model::Kind::kArray;
  if (depth >= kShapeDepthMax || (!is_array && element.kind() != model::Kind::kObject)) {
    shape += '?';
    return;
  }
  shape += is_array ? '[' : '{';
  AppendFields(shape, element.AsDocument(), is_array, depth + 1);
  shape += is_array ? ']' : '}';
}

void AppendArguments(std::string& shape, model::DocumentView body) {
  for (const model::ElementView field : body) {
    if (std::ranges::find(kShapedArguments, field.name()) == kShapedArguments.end()) continue;
    shape += ' ';
    shape += field.name();
    shape += ": ";
    AppendShape(shape, field, 0);
  }
}

}  // namespace

void WriteStatementShape(const Command& command, std::string& shape) {
  shape.clear();
  const auto known = std::ranges::find(kShapedCommands, command.name(), &ShapedCommand::name);
  if (known == kShapedCommands.end()) return;
  shape += command.name();
  AppendArguments(shape, command.body());
  if (known->statements.empty()) return;
  const auto statements = command.Documents(known->statements, "");
  if (statements.has_value() && !statements->empty()) AppendArguments(shape, statements->front());
  if (shape.size() > kShapeBytesMax) shape.resize(kShapeBytesMax);
}

}  // namespace orrery::mongo
