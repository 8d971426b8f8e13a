#include "api/sql/function/regex/regex.h"

#include <string>
#include <unordered_map>

#include "api/sql/function/text/code_points.h"

namespace orrery::sql {
namespace {

using Instruction = RegexInstruction;

class Compiler {
 public:
  Status Compile(const RegexNode& node) {
    ORRERY_TRY(Emit(node));
    return Append({.kind = Instruction::Kind::kMatch});
  }

  std::vector<Instruction> program;
  std::vector<CharacterSet> sets;

 private:
  uint32_t Here() const { return static_cast<uint32_t>(program.size()); }

  Status Append(Instruction instruction) {
    if (program.size() >= kRegexInstructionsMax) return TooLarge();
    program.push_back(instruction);
    return {};
  }

  static std::unexpected<Error> TooLarge() {
    return Fail(Code::kTooLarge, "a regular expression is too large");
  }

  Status Emit(const RegexNode& node) {
    // Nodes count even where they emit nothing: repeated often enough, those would take for ever.
    if (++nodes_ > kRegexInstructionsMax) return TooLarge();
    switch (node.kind) {
      case RegexNode::Kind::kSet:
        return Append({.kind = Instruction::Kind::kSet, .set = SetOf(node)});
      case RegexNode::Kind::kAssertion:
        return Append({.kind = Instruction::Kind::kAssertion, .assertion = node.assertion});
      case RegexNode::Kind::kSequence:
        for (const RegexNode& child : node.children) ORRERY_TRY(Emit(child));
        return {};
      case RegexNode::Kind::kAlternatives:
        return EmitAlternatives(node.children);
      case RegexNode::Kind::kRepeat:
        return EmitRepeat(node);
    }
    return {};
  }

  // A repeated node's set is kept once.
  uint32_t SetOf(const RegexNode& node) {
    const auto [found, is_new] = set_of_node_.emplace(&node, static_cast<uint32_t>(sets.size()));
    if (is_new) sets.push_back(node.set);
    return found->second;
  }

  Status EmitAlternatives(const std::vector<RegexNode>& alternatives) {
    std::vector<uint32_t> exits;
    for (size_t i = 0; i < alternatives.size(); ++i) {
      const bool last = i + 1 == alternatives.size();
      const uint32_t split = Here();
      if (!last) ORRERY_TRY(Append({.kind = Instruction::Kind::kSplit}));
      ORRERY_TRY(Emit(alternatives[i]));
      if (last) break;
      exits.push_back(Here());
      ORRERY_TRY(Append({.kind = Instruction::Kind::kJump}));
      program[split].target = Here();
    }
    for (const uint32_t exit : exits) program[exit].target = Here();
    return {};
  }

  Status EmitRepeat(const RegexNode& node) {
    const RegexNode& repeated = node.children[0];
    for (uint32_t i = 0; i < node.repeat_min; ++i) ORRERY_TRY(Emit(repeated));
    if (node.repeat_max == RegexNode::kUnbounded) {
      const uint32_t loop = Here();
      ORRERY_TRY(Append({.kind = Instruction::Kind::kSplit}));
      ORRERY_TRY(Emit(repeated));
      ORRERY_TRY(Append({.kind = Instruction::Kind::kJump, .target = loop}));
      program[loop].target = Here();
      return {};
    }
    std::vector<uint32_t> exits;
    for (uint32_t i = node.repeat_min; i < node.repeat_max; ++i) {
      exits.push_back(Here());
      ORRERY_TRY(Append({.kind = Instruction::Kind::kSplit}));
      ORRERY_TRY(Emit(repeated));
    }
    for (const uint32_t exit : exits) program[exit].target = Here();
    return {};
  }

  std::unordered_map<const RegexNode*, uint32_t> set_of_node_;
  size_t nodes_ = 0;
};

bool Holds(RegexAssertion assertion, std::u32string_view text, size_t at) {
  const bool starts = at == 0;
  const bool ends = at == text.size();
  switch (assertion) {
    case RegexAssertion::kTextStart:
      return starts;
    case RegexAssertion::kTextEnd:
      return ends;
    case RegexAssertion::kTextEndOrLastNewline:
      return ends || (at + 1 == text.size() && text[at] == U'\n');
    case RegexAssertion::kLineStart:
      return starts || text[at - 1] == U'\n';
    case RegexAssertion::kLineEnd:
      return ends || text[at] == U'\n';
    case RegexAssertion::kWordBoundary:
    case RegexAssertion::kNoWordBoundary:
      break;
  }
  const bool before = !starts && IsWordCharacter(text[at - 1]);
  const bool after = !ends && IsWordCharacter(text[at]);
  return (before != after) == (assertion == RegexAssertion::kWordBoundary);
}

// The instructions that wait for the same character, each once.
class StateSet {
 public:
  explicit StateSet(size_t size) : seen_(size, 0) {}

  void Clear() {
    states_.clear();
    ++round_;
  }
  bool Mark(uint32_t state) {
    if (seen_[state] == round_) return false;
    seen_[state] = round_;
    return true;
  }
  void Wait(uint32_t state) { states_.push_back(state); }
  const std::vector<uint32_t>& states() const { return states_; }

 private:
  std::vector<uint32_t> states_;
  std::vector<uint64_t> seen_;
  uint64_t round_ = 1;
};

}  // namespace

Result<Regex> Regex::Compile(std::string_view pattern, RegexFlags flags) {
  ORRERY_ASSIGN(const RegexNode node, ParseRegex(pattern, flags));
  Compiler compiler;
  ORRERY_TRY(compiler.Compile(node));
  return Regex(std::move(compiler.program), std::move(compiler.sets));
}

Result<bool> Regex::Search(std::string_view text) const {
  const std::u32string characters = ToCodePoints(text);
  StateSet current(program_.size());
  StateSet next(program_.size());
  std::vector<uint32_t> pending;
  size_t steps = 0;
  bool matched = false;

  // Follows all that needs no character from `state`.
  const auto enter = [&](StateSet& states, uint32_t state, size_t at) {
    pending.assign(1, state);
    while (!pending.empty()) {
      const uint32_t top = pending.back();
      pending.pop_back();
      if (!states.Mark(top)) continue;
      ++steps;
      const Instruction& instruction = program_[top];
      switch (instruction.kind) {
        case Instruction::Kind::kSet:
          states.Wait(top);
          break;
        case Instruction::Kind::kAssertion:
          if (Holds(instruction.assertion, characters, at)) pending.push_back(top + 1);
          break;
        case Instruction::Kind::kSplit:
          pending.push_back(instruction.target);
          pending.push_back(top + 1);
          break;
        case Instruction::Kind::kJump:
          pending.push_back(instruction.target);
          break;
        case Instruction::Kind::kMatch:
          matched = true;
          return;
      }
    }
  };

  for (size_t at = 0; at <= characters.size(); ++at) {
    // A match may begin at every character.
    enter(current, 0, at);
    if (matched) return true;
    if (at == characters.size()) break;
    next.Clear();
    for (const uint32_t state : current.states()) {
      const CharacterSet& set = sets_[program_[state].set];
      steps += set.ranges.size() + set.classes.size();
      if (set.Contains(characters[at])) enter(next, state + 1, at + 1);
      if (matched) return true;
    }
    if (steps > kRegexStepsMax)
      return Fail(Code::kTooLarge, "a regular expression takes too long on its text");
    std::swap(current, next);
  }
  return false;
}

}  // namespace orrery::sql
