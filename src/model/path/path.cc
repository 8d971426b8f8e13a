#include "model/path/path.h"

#include <algorithm>

#include "model/path/path_syntax.h"

namespace orrery::model {

Result<Path> Path::Parse(std::string_view text) {
  ORRERY_ASSIGN(std::vector<PathToken> tokens, SplitPath(text));
  std::vector<std::string> steps;
  for (PathToken& token : tokens) {
    if (!token.quoted && (token.text == "*" || token.text == "?" || token.text == "[]")) {
      return PathError(text, token.position, "a wildcard where one place is needed");
    }
    steps.push_back(std::move(token.text));
  }
  return Path(std::move(steps));
}

Result<Path> Path::FromPointer(std::string_view text) {
  if (const size_t nul = text.find('\0'); nul != std::string_view::npos) {
    return PathError(text.substr(0, nul), nul, "NUL");
  }
  std::vector<std::string> steps;
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '/') {
      if (steps.size() == kPathStepsMax) return PathError(text, at, "too many steps");
      steps.emplace_back();
      continue;
    }
    if (steps.empty()) return PathError(text, at, "a '/' is needed");
    char c = text[at];
    if (c == '~') {
      if (at + 1 == text.size() || (text[at + 1] != '0' && text[at + 1] != '1')) {
        return PathError(text, at, "'~' without 0 or 1");
      }
      c = text[++at] == '0' ? '~' : '/';
    }
    steps.back().push_back(c);
  }
  return Path(std::move(steps));
}

std::string Path::ToString() const {
  if (steps_.empty()) return "/";
  std::string text;
  for (const std::string& step : steps_) AppendPathStep(text, step);
  return text;
}

std::optional<ElementView> Path::Find(DocumentView document) const {
  std::optional<ElementView> found;
  for (const std::string& step : steps_) {
    if (found.has_value()) {
      if (found->kind() != Kind::kObject && found->kind() != Kind::kArray) return std::nullopt;
      document = found->AsDocument();
    }
    // BSON names an array's elements by their index, so one lookup serves both.
    found = document.Find(step);
    if (!found.has_value()) return std::nullopt;
  }
  return found;
}

std::optional<ElementView> Path::FindField(DocumentView document) const {
  std::optional<ElementView> found;
  for (const std::string& step : steps_) {
    if (found.has_value()) {
      if (found->kind() != Kind::kObject) return std::nullopt;
      document = found->AsDocument();
    }
    found = document.Find(step);
    if (!found.has_value()) return std::nullopt;
  }
  return found;
}

Value Path::Get(DocumentView document) const {
  if (steps_.empty()) return document.ToObject();
  const std::optional<ElementView> found = Find(document);
  return found.has_value() ? found->ToValue() : Value::Undefined();
}

bool Path::Contains(const Path& other) const {
  return steps_.size() <= other.steps_.size() &&
         std::equal(steps_.begin(), steps_.end(), other.steps_.begin());
}

}  // namespace orrery::model
