#include "history/history_file.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "model/document/json.h"

namespace orrery::history {
namespace {

std::unexpected<Error> Wrong(std::string message) {
  return Fail(Code::kInvalidArgument, std::move(message));
}

template <typename Enum, size_t kCount>
using Names = std::array<std::pair<std::string_view, Enum>, kCount>;
constexpr Names<Kind, 5> kKinds{{{"read", Kind::kRead},
                                 {"write", Kind::kWrite},
                                 {"cas", Kind::kCas},
                                 {"append", Kind::kAppend},
                                 {"delete", Kind::kDelete}}};
constexpr Names<Outcome, 4> kOutcomes{{{"ok", Outcome::kOk},
                                       {"mismatch", Outcome::kMismatch},
                                       {"fail", Outcome::kFail},
                                       {"unknown", Outcome::kUnknown}}};

bool IsInteger(const model::Value& value) {
  return value.kind() == model::Kind::kInt32 || value.kind() == model::Kind::kInt64;
}

class LineReader {
 public:
  explicit LineReader(const model::Value& object) : object_(object) {}

  Result<uint64_t> Number(std::string_view name) const {
    const model::Value* value = object_.Find(name);
    if (value == nullptr || !IsInteger(*value) || value->AsInteger() < 0)
      return Wrong(fmt::format("\"{}\" must be a whole number from 0", name));
    return static_cast<uint64_t>(value->AsInteger());
  }

  Result<std::string> Text(std::string_view name) const {
    const model::Value* value = object_.Find(name);
    if (value == nullptr || value->kind() != model::Kind::kString)
      return Wrong(fmt::format("\"{}\" must be a string", name));
    return value->AsString();
  }

  template <typename Enum, size_t kCount>
  Result<Enum> Choice(std::string_view name, const Names<Enum, kCount>& names) const {
    ORRERY_ASSIGN(const std::string text, Text(name));
    for (const auto& [known, value] : names) {
      if (known == text) return value;
    }
    return Wrong(fmt::format("\"{}\" cannot be \"{}\"", name, text));
  }

  bool Has(std::string_view name) const { return object_.Find(name) != nullptr; }

  Result<Content> ContentOf(std::string_view name) const {
    const model::Value* value = object_.Find(name);
    if (value == nullptr || value->is_null()) return Content();
    if (value->kind() == model::Kind::kString) return Content(value->AsString());
    if (IsInteger(*value)) return Content(std::to_string(value->AsInteger()));
    if (value->kind() != model::Kind::kArray)
      return Wrong(fmt::format("\"{}\" must be a string, a whole number, an array or null", name));
    Content joined;
    for (const model::Value& element : value->AsValues()) {
      if (element.kind() != model::Kind::kString)
        return Wrong(fmt::format("\"{}\" must be an array of strings", name));
      joined = joined.has_value() ? *joined + "," + element.AsString() : element.AsString();
    }
    return joined;
  }

 private:
  const model::Value& object_;
};

Status Validate(const Operation& operation) {
  const bool writes = operation.kind == Kind::kWrite || operation.kind == Kind::kAppend;
  if (writes && !operation.value.has_value())
    return Wrong(fmt::format("a {} needs a \"value\"", KindName(operation.kind)));
  if (operation.kind == Kind::kAppend && operation.value->find(',') != std::string::npos)
    return Wrong("what is appended must not contain a comma");
  if (operation.outcome == Outcome::kMismatch && operation.kind != Kind::kCas)
    return Wrong("only a cas can be a mismatch");
  if (operation.completed < operation.invoked)
    return Wrong("it was completed before it was invoked");
  return {};
}

}  // namespace

Result<Operation> ParseOperation(std::string_view line) {
  ORRERY_ASSIGN(const model::Document document, model::ParseJson(line));
  const model::Value object = document.view().ToObject();
  const LineReader reader(object);
  Operation operation;
  ORRERY_ASSIGN(operation.process, reader.Number("process"));
  ORRERY_ASSIGN(operation.kind, reader.Choice("op", kKinds));
  ORRERY_ASSIGN(operation.key, reader.Text("key"));
  ORRERY_ASSIGN(operation.value, reader.ContentOf("value"));
  ORRERY_ASSIGN(operation.expected, reader.ContentOf("expected"));
  if (reader.Has("saw")) {
    ORRERY_ASSIGN(operation.saw, reader.ContentOf("saw"));
  }
  ORRERY_ASSIGN(operation.invoked, reader.Number("invoked"));
  ORRERY_ASSIGN(operation.outcome, reader.Choice("outcome", kOutcomes));
  if (operation.outcome != Outcome::kUnknown) {
    ORRERY_ASSIGN(operation.completed, reader.Number("completed"));
  }
  ORRERY_TRY(Validate(operation));
  return operation;
}

Result<std::vector<Operation>> ReadHistory(std::istream& in) {
  std::vector<Operation> operations;
  std::string line;
  for (uint64_t number = 1; std::getline(in, line); ++number) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    const auto at = [number] { return fmt::format("line {}", number); };
    if (line.size() > kLineBytesMax) return Wrong(at() + " is too long");
    if (operations.size() == kOperationsMax) return Wrong(at() + ": too many operations");
    auto operation = ParseOperation(line);
    if (!operation.has_value()) return Fail(std::move(operation).error().Annotate(at()));
    operation->line = number;
    operations.push_back(*std::move(operation));
  }
  if (in.bad()) return Fail(Code::kUnavailable, "the history cannot be read");
  return operations;
}

}  // namespace orrery::history
