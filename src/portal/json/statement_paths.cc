#include "portal/json/statement_paths.h"

#include <algorithm>
#include <cctype>
#include <optional>

namespace orrery::portal {
namespace {

bool IsWordPart(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$' || c == '@' ||
         static_cast<unsigned char>(c) >= 0x80;
}

// Words, signs, and "names" in quotes, without the quotes but with the first of them in front.
std::vector<std::string> TokensOf(std::string_view text) {
  std::vector<std::string> tokens;
  for (size_t at = 0; at < text.size();) {
    if (text[at] == ' ') {
      ++at;
    } else if (text[at] == '"') {
      const size_t end = std::min(text.find('"', at + 1), text.size());
      tokens.emplace_back(text.substr(at, end - at));
      at = end + 1;
    } else if (IsWordPart(text[at])) {
      size_t end = at;
      while (end < text.size() && IsWordPart(text[end])) ++end;
      tokens.emplace_back(text.substr(at, end - at));
      at = end;
    } else {
      tokens.emplace_back(1, text[at++]);
    }
  }
  return tokens;
}

bool IsKeyword(const std::string& token, std::string_view keyword) {
  return std::ranges::equal(token, keyword, [](char a, char b) {
    return std::toupper(static_cast<unsigned char>(a)) == b;
  });
}

class PathFinder {
 public:
  explicit PathFinder(std::string_view statement) : tokens_(TokensOf(statement)) {}

  std::vector<std::string> Run() {
    std::vector<std::string> paths;
    const size_t from = Find(0, "FROM");
    const size_t where = Find(from, "WHERE");
    if (where >= tokens_.size() || Find(where, "OR") < tokens_.size() ||
        Find(where, "NOT") < tokens_.size())
      return paths;
    const std::string root = RootOf(from + 1, where);
    size_t end = tokens_.size();
    for (const std::string_view keyword : {"ORDER", "GROUP", "OFFSET"})
      end = std::min(end, Find(where, keyword));
    for (at_ = where + 1; at_ < end;) {
      if (tokens_[at_] != root || (at_ > 0 && tokens_[at_ - 1] == ".")) {
        ++at_;
        continue;
      }
      ++at_;
      const std::optional<std::string> path = ReadPath(end);
      if (path.has_value() && at_ + 1 < end && tokens_[at_] == "=" &&
          (tokens_[at_ + 1] == "?" || tokens_[at_ + 1].starts_with('@')))
        paths.push_back(*path);
    }
    return paths;
  }

 private:
  size_t Find(size_t from, std::string_view keyword) const {
    for (size_t at = from; at < tokens_.size(); ++at)
      if (IsKeyword(tokens_[at], keyword)) return at;
    return tokens_.size();
  }

  // The name that paths of documents begin with.
  std::string RootOf(size_t from, size_t end) const {
    if (from >= end) return {};
    size_t alias = from + 1;
    if (alias < end && IsKeyword(tokens_[alias], "AS")) ++alias;
    const bool has_alias = alias < end && IsWordPart(tokens_[alias].front()) &&
                           !IsKeyword(tokens_[alias], "JOIN");
    return tokens_[has_alias ? alias : from];
  }

  // ".a.b" or "["a"]"; nothing where it ends without a name, or in a place of an array.
  std::optional<std::string> ReadPath(size_t end) {
    std::string path;
    while (at_ + 1 < end) {
      if (tokens_[at_] == "." && IsWordPart(tokens_[at_ + 1].front())) {
        path += "/" + tokens_[at_ + 1];
        at_ += 2;
      } else if (tokens_[at_] == "[" && at_ + 2 < end && tokens_[at_ + 1].starts_with('"') &&
                 tokens_[at_ + 2] == "]") {
        path += "/" + tokens_[at_ + 1].substr(1);
        at_ += 3;
      } else {
        break;
      }
    }
    if (path.empty()) return std::nullopt;
    return path;
  }

  const std::vector<std::string> tokens_;
  size_t at_ = 0;
};

}  // namespace

std::vector<std::string> EqualPathsOf(std::string_view statement) {
  return PathFinder(statement).Run();
}

}  // namespace orrery::portal
