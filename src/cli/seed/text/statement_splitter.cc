#include "cli/seed/text/statement_splitter.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <utility>

namespace orrery::cli {
namespace {

std::unexpected<Error> RefuseStatement(size_t line, std::string_view what) {
  return Fail(Code::kInvalidArgument, fmt::format("line {}: {}", line, what));
}

bool IsSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

bool StartsWithWord(std::string_view text, std::string_view word) {
  if (text.size() < word.size()) return false;
  for (size_t i = 0; i < word.size(); ++i) {
    if (std::toupper(static_cast<unsigned char>(text[i])) != word[i]) return false;
  }
  if (text.size() == word.size()) return true;
  const auto next = static_cast<unsigned char>(text[word.size()]);
  return std::isalnum(next) == 0 && next != '_';
}

std::string_view TrimEnd(std::string_view text) {
  while (!text.empty() && IsSpace(text.back())) text.remove_suffix(1);
  return text;
}

// Walks over a text, counting lines.
class Walk {
 public:
  explicit Walk(std::string_view text) : text_(text) {}

  bool done() const { return at_ >= text_.size(); }
  char now() const { return text_[at_]; }
  size_t at() const { return at_; }
  size_t line() const { return line_; }
  std::string_view rest() const { return text_.substr(at_); }
  void Step(size_t count = 1) {
    for (; count > 0 && !done(); --count, ++at_) {
      if (text_[at_] == '\n') ++line_;
    }
  }
  // Behind the next `end`; false when there is none.
  bool StepBehind(std::string_view end) {
    const size_t found = text_.find(end, at_);
    Step((found == std::string_view::npos ? text_.size() : found + end.size()) - at_);
    return found != std::string_view::npos;
  }

 private:
  std::string_view text_;
  size_t at_ = 0;
  size_t line_ = 1;
};

}  // namespace

Result<std::vector<SourcedStatement>> SplitCql(std::string_view text) {
  std::vector<SourcedStatement> statements;
  Walk walk(text);
  size_t begin = std::string_view::npos;  // of the statement that the walk is in
  size_t begin_line = 0;
  bool in_batch = false;
  const auto refuse_open = [&](size_t line, std::string_view what) {
    return RefuseStatement(line, fmt::format("{} without its end", what));
  };
  while (!walk.done()) {
    const char c = walk.now();
    const size_t line = walk.line();
    const std::string_view rest = walk.rest();
    if (IsSpace(c)) {
      walk.Step();
      continue;
    }
    if (rest.starts_with("--") || rest.starts_with("//")) {
      walk.StepBehind("\n");
      continue;
    }
    if (rest.starts_with("/*")) {
      walk.Step(2);
      if (!walk.StepBehind("*/")) return refuse_open(line, "a comment");
      continue;
    }
    if (c == ';' && !in_batch) {
      if (begin != std::string_view::npos)
        statements.push_back({begin_line, TrimEnd(text.substr(begin, walk.at() - begin))});
      begin = std::string_view::npos;
      walk.Step();
      continue;
    }
    if (begin == std::string_view::npos) {
      begin = walk.at();
      begin_line = line;
      in_batch = false;
      if (StartsWithWord(rest, "BEGIN")) {
        const std::string_view head = rest.substr(0, std::min<size_t>(rest.size(), 64));
        for (size_t i = 0; i < head.size(); ++i)
          in_batch |= StartsWithWord(head.substr(i), "BATCH");
      }
    }
    if (c == '\'' || c == '"') {
      walk.Step();
      if (!walk.StepBehind(std::string_view(&c, 1)))
        return refuse_open(line, fmt::format("a {}", c));
    } else if (rest.starts_with("$$")) {
      walk.Step(2);
      if (!walk.StepBehind("$$")) return refuse_open(line, "a $$");
    } else if (std::isalpha(static_cast<unsigned char>(c)) != 0) {
      if (in_batch && StartsWithWord(rest, "APPLY")) in_batch = false;
      while (!walk.done() &&
             (std::isalnum(static_cast<unsigned char>(walk.now())) != 0 || walk.now() == '_'))
        walk.Step();
    } else {
      walk.Step();
    }
  }
  if (begin != std::string_view::npos) {
    if (in_batch) return refuse_open(begin_line, "a BEGIN BATCH");
    statements.push_back({begin_line, TrimEnd(text.substr(begin))});
  }
  return statements;
}

Result<std::vector<SourcedStatement>> SplitGremlin(std::string_view text) {
  std::vector<SourcedStatement> statements;
  Walk walk(text);
  size_t begin = std::string_view::npos;
  size_t begin_line = 0;
  int depth = 0;
  const auto end_here = [&] {
    if (begin != std::string_view::npos)
      statements.push_back({begin_line, TrimEnd(text.substr(begin, walk.at() - begin))});
    begin = std::string_view::npos;
  };
  while (!walk.done()) {
    const char c = walk.now();
    const std::string_view rest = walk.rest();
    if (begin == std::string_view::npos && (rest.starts_with("//") || c == '#')) {
      walk.StepBehind("\n");
      continue;
    }
    if (c == ';' && depth == 0) {
      end_here();
      walk.Step();
      continue;
    }
    if (c == '\n' && depth == 0 && begin != std::string_view::npos) {
      const size_t next = rest.find_first_not_of(" \t\r\n");
      const bool goes_on = (next != std::string_view::npos && rest[next] == '.') ||
                           TrimEnd(text.substr(begin, walk.at() - begin)).ends_with('.');
      if (!goes_on) end_here();
      walk.Step();
      continue;
    }
    if (IsSpace(c)) {
      walk.Step();
      continue;
    }
    if (begin == std::string_view::npos) {
      begin = walk.at();
      begin_line = walk.line();
    }
    if (c == '\'' || c == '"') {
      const size_t line = walk.line();
      walk.Step();
      while (!walk.done() && walk.now() != c) walk.Step(walk.now() == '\\' ? 2 : 1);
      if (walk.done()) return RefuseStatement(line, fmt::format("a {} without its end", c));
    }
    if (c == '(' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == ']' || c == '}') --depth;
    if (depth < 0)
      return RefuseStatement(walk.line(), fmt::format("a '{}' that closes nothing", c));
    walk.Step();
  }
  if (depth > 0) return RefuseStatement(begin_line, "a bracket without its end");
  end_here();
  return statements;
}

}  // namespace orrery::cli
