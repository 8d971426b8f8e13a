#include "model/path/path_syntax.h"

#include <fmt/format.h>

#include <algorithm>

namespace orrery::model {

std::unexpected<Error> PathError(std::string_view path, size_t position, std::string_view what) {
  return Fail(Code::kInvalidArgument,
              fmt::format("path '{}': {} at position {}", path, what, position));
}

Result<std::vector<PathToken>> SplitPath(std::string_view path) {
  std::vector<PathToken> tokens;
  // A name with a NUL could never be in a document.
  if (const size_t nul = path.find('\0'); nul != std::string_view::npos) {
    return PathError(path.substr(0, nul), nul, "NUL");
  }
  if (path == "/") return tokens;
  size_t at = 0;
  while (at < path.size()) {
    if (path[at] != '/') return PathError(path, at, "a '/' is needed");
    if (tokens.size() == kPathStepsMax) {
      return PathError(path, at, fmt::format("more than {} steps", kPathStepsMax));
    }
    PathToken token;
    token.position = ++at;
    const char quote = at < path.size() ? path[at] : '\0';
    token.quoted =
        quote == '"' || (quote == '\'' && path.find(quote, at + 1) != std::string_view::npos);
    if (token.quoted) {
      for (++at; at < path.size() && path[at] != quote; ++at) {
        if (path[at] == '\\' && at + 1 < path.size() &&
            (path[at + 1] == quote || path[at + 1] == '\\'))
          ++at;
        token.text.push_back(path[at]);
      }
      if (at == path.size()) return PathError(path, token.position, "a quote without its end");
      ++at;
    } else {
      const size_t end = std::min(path.find('/', at), path.size());
      if (end == at) return PathError(path, at, "an empty step");
      token.text = path.substr(at, end - at);
      at = end;
    }
    tokens.push_back(std::move(token));
  }
  return tokens;
}

void AppendPathStep(std::string& out, std::string_view name) {
  out.push_back('/');
  const bool special = name.empty() || name == "*" || name == "?" || name == "[]" ||
                       name.starts_with('"') || name.starts_with('\'') ||
                       name.find('/') != std::string_view::npos;
  if (!special) {
    out.append(name);
    return;
  }
  out.push_back('"');
  for (const char c : name) {
    if (c == '"' || c == '\\') out.push_back('\\');
    out.push_back(c);
  }
  out.push_back('"');
}

}  // namespace orrery::model
