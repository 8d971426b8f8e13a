#include "api/sql/function/regex/regex_parser.h"

#include <fmt/format.h>

#include <optional>
#include <string>

#include "api/sql/function/text/code_points.h"
#include "model/expression/character.h"

namespace orrery::sql {
namespace {

std::optional<uint32_t> HexDigit(char32_t c) {
  if (c >= U'0' && c <= U'9') return c - U'0';
  if (c >= U'a' && c <= U'f') return c - U'a' + 10;
  if (c >= U'A' && c <= U'F') return c - U'A' + 10;
  return std::nullopt;
}

std::optional<CharacterSet::Class> ClassOf(char32_t letter) {
  switch (letter) {
    case U'd':
    case U'D':
      return CharacterSet::Class{CharacterClass::kDigit, letter == U'D'};
    case U'w':
    case U'W':
      return CharacterSet::Class{CharacterClass::kWord, letter == U'W'};
    case U's':
    case U'S':
      return CharacterSet::Class{CharacterClass::kSpace, letter == U'S'};
    default:
      return std::nullopt;
  }
}

RegexNode AssertionNode(RegexAssertion assertion) {
  RegexNode node;
  node.kind = RegexNode::Kind::kAssertion;
  node.assertion = assertion;
  return node;
}

class Parser {
 public:
  Parser(std::u32string pattern, RegexFlags flags) : pattern_(std::move(pattern)), flags_(flags) {}

  Result<RegexNode> Parse() {
    ORRERY_ASSIGN(RegexNode node, ReadAlternatives(0));
    if (!AtEnd()) return Invalid("a ')' closes nothing");
    return node;
  }

 private:
  bool AtEnd() const { return position_ >= pattern_.size(); }
  bool Looking(char32_t character) const { return !AtEnd() && pattern_[position_] == character; }
  bool Take(char32_t character) {
    if (!Looking(character)) return false;
    ++position_;
    return true;
  }
  std::unexpected<Error> Invalid(std::string_view what) const {
    return Fail(Code::kInvalidArgument,
                fmt::format("invalid regular expression: {} (character {})", what, position_ + 1));
  }
  std::unexpected<Error> Unsupported(std::string_view what) const {
    return Fail(Code::kUnsupported,
                fmt::format("{} are not supported in regular expressions", what));
  }

  void SkipSpace() {
    if (!flags_.ignore_space) return;
    while (!AtEnd()) {
      if (model::IsWhiteSpace(pattern_[position_])) {
        ++position_;
      } else if (Take(U'#')) {
        while (!AtEnd() && !Take(U'\n')) ++position_;
      } else {
        return;
      }
    }
  }

  RegexNode SetNode(CharacterSet set) const {
    RegexNode node;
    node.kind = RegexNode::Kind::kSet;
    node.set = std::move(set);
    node.set.ignore_case = flags_.ignore_case;
    return node;
  }
  RegexNode CharacterNode(char32_t character) const {
    return SetNode({.ranges = {{character, character}}, .classes = {}});
  }

  Result<RegexNode> ReadAlternatives(size_t depth) {
    if (depth > kRegexDepthMax)
      return Fail(Code::kTooLarge, "a regular expression is nested too deeply");
    RegexNode alternatives;
    alternatives.kind = RegexNode::Kind::kAlternatives;
    do {
      ORRERY_ASSIGN(RegexNode sequence, ReadSequence(depth));
      alternatives.children.push_back(std::move(sequence));
    } while (Take(U'|'));
    if (alternatives.children.size() == 1) return std::move(alternatives.children[0]);
    return alternatives;
  }

  Result<RegexNode> ReadSequence(size_t depth) {
    RegexNode sequence;
    for (SkipSpace(); !AtEnd() && !Looking(U'|') && !Looking(U')'); SkipSpace()) {
      ORRERY_ASSIGN(RegexNode atom, ReadAtom(depth));
      SkipSpace();
      ORRERY_ASSIGN(atom, ReadQuantifier(std::move(atom)));
      sequence.children.push_back(std::move(atom));
    }
    return sequence;
  }

  Result<RegexNode> ReadAtom(size_t depth) {
    const char32_t character = pattern_[position_++];
    switch (character) {
      case U'.': {
        CharacterSet any{.ranges = {}, .classes = {}, .negated = true};
        if (!flags_.dot_matches_newline) any.ranges.emplace_back(U'\n', U'\n');
        return SetNode(std::move(any));
      }
      case U'^':
        return AssertionNode(flags_.multiple_lines ? RegexAssertion::kLineStart
                                                   : RegexAssertion::kTextStart);
      case U'$':
        return AssertionNode(flags_.multiple_lines ? RegexAssertion::kLineEnd
                                                   : RegexAssertion::kTextEndOrLastNewline);
      case U'(':
        return ReadGroup(depth);
      case U'[':
        return ReadSet();
      case U'\\':
        return ReadEscape();
      case U'*':
      case U'+':
      case U'?':
        return Invalid("a quantifier follows nothing");
      default:
        return CharacterNode(character);
    }
  }

  Result<RegexNode> ReadGroup(size_t depth) {
    if (Take(U'?')) {
      if (Looking(U'=') || Looking(U'!')) return Unsupported("lookaheads");
      if (Take(U'<') || (Take(U'P') && Take(U'<'))) {
        if (Looking(U'=') || Looking(U'!')) return Unsupported("lookbehinds");
        while (!AtEnd() && IsWordCharacter(pattern_[position_])) ++position_;
        if (!Take(U'>')) return Invalid("a group's name does not end");
      } else if (!Take(U':')) {
        return Unsupported("inline flags and conditions");
      }
    }
    ORRERY_ASSIGN(RegexNode group, ReadAlternatives(depth + 1));
    if (!Take(U')')) return Invalid("a '(' is not closed");
    return group;
  }

  // After the backslash.
  Result<char32_t> ReadEscapedCharacter() {
    const char32_t letter = pattern_[position_++];
    switch (letter) {
      case U't':
        return U'\t';
      case U'n':
        return U'\n';
      case U'r':
        return U'\r';
      case U'f':
        return U'\f';
      case U'v':
        return U'\v';
      case U'x':
        return ReadHex(2);
      case U'u':
        return ReadHex(4);
      default:
        break;
    }
    if (letter >= U'0' && letter <= U'9') return Unsupported("back references");
    if (IsWordCharacter(letter) && letter != U'_') return Invalid("an unknown escape");
    return letter;
  }

  Result<char32_t> ReadHex(size_t digits) {
    char32_t character = 0;
    for (size_t i = 0; i < digits; ++i) {
      const auto digit = AtEnd() ? std::nullopt : HexDigit(pattern_[position_]);
      if (!digit) return Invalid("hexadecimal digits are missing");
      character = character << 4 | *digit;
      ++position_;
    }
    return character;
  }

  Result<RegexNode> ReadEscape() {
    if (AtEnd()) return Invalid("it ends in a backslash");
    const char32_t letter = pattern_[position_];
    if (const auto named = ClassOf(letter)) {
      ++position_;
      return SetNode({.ranges = {}, .classes = {*named}});
    }
    constexpr std::pair<char32_t, RegexAssertion> kAssertions[] = {
        {U'b', RegexAssertion::kWordBoundary},
        {U'B', RegexAssertion::kNoWordBoundary},
        {U'A', RegexAssertion::kTextStart},
        {U'z', RegexAssertion::kTextEnd},
        {U'Z', RegexAssertion::kTextEndOrLastNewline}};
    for (const auto& [name, assertion] : kAssertions) {
      if (Take(name)) return AssertionNode(assertion);
    }
    ORRERY_ASSIGN(const char32_t character, ReadEscapedCharacter());
    return CharacterNode(character);
  }

  Result<char32_t> ReadSetMember() {
    if (!Take(U'\\')) return pattern_[position_++];
    if (AtEnd()) return Invalid("it ends in a backslash");
    if (Take(U'b')) return U'\b';
    return ReadEscapedCharacter();
  }

  // After the "[". A "]" that comes first is a member.
  Result<RegexNode> ReadSet() {
    CharacterSet set;
    set.negated = Take(U'^');
    for (bool first = true; first || !Looking(U']'); first = false) {
      if (AtEnd()) return Invalid("a '[' is not closed");
      if (Looking(U'\\') && position_ + 1 < pattern_.size()) {
        if (const auto named = ClassOf(pattern_[position_ + 1])) {
          set.classes.push_back(*named);
          position_ += 2;
          continue;
        }
      }
      ORRERY_ASSIGN(const char32_t low, ReadSetMember());
      char32_t high = low;
      if (Looking(U'-') && position_ + 1 < pattern_.size() && pattern_[position_ + 1] != U']') {
        ++position_;
        ORRERY_ASSIGN(high, ReadSetMember());
      }
      if (high < low) return Invalid("a range is the wrong way round");
      set.ranges.emplace_back(low, high);
    }
    ++position_;
    return SetNode(std::move(set));
  }

  std::optional<uint32_t> ReadCount() {
    if (AtEnd() || pattern_[position_] < U'0' || pattern_[position_] > U'9') return std::nullopt;
    uint32_t count = 0;
    while (!AtEnd() && pattern_[position_] >= U'0' && pattern_[position_] <= U'9') {
      // Large enough to be refused, small enough not to overflow.
      count = std::min(count * 10 + (pattern_[position_++] - U'0'), kRegexRepeatMax * 10);
    }
    return count;
  }

  // "{...}" that is no quantifier stands for itself, and the position stays.
  bool ReadBraces(uint32_t& low, uint32_t& high) {
    const size_t start = position_;
    ++position_;
    const auto first = ReadCount();
    std::optional<uint32_t> second = first;
    if (first && Take(U',')) {
      second = RegexNode::kUnbounded;
      if (const auto count = ReadCount()) second = count;
    }
    if (!first || !Take(U'}')) {
      position_ = start;
      return false;
    }
    low = *first;
    high = *second;
    return true;
  }

  Result<RegexNode> ReadQuantifier(RegexNode atom) {
    uint32_t low = 0;
    uint32_t high = RegexNode::kUnbounded;
    if (Take(U'?')) {
      high = 1;
    } else if (Take(U'+')) {
      low = 1;
    } else if (Looking(U'{')) {
      if (!ReadBraces(low, high)) return atom;
    } else if (!Take(U'*')) {
      return atom;
    }
    Take(U'?');
    if (Looking(U'*') || Looking(U'+') || Looking(U'?'))
      return Invalid("a quantifier follows another");
    if (low > kRegexRepeatMax || (high != RegexNode::kUnbounded && high > kRegexRepeatMax))
      return Fail(Code::kTooLarge, "a regular expression repeats more than 1000 times");
    if (high < low) return Invalid("a repetition ends before it begins");
    RegexNode repeat;
    repeat.kind = RegexNode::Kind::kRepeat;
    repeat.repeat_min = low;
    repeat.repeat_max = high;
    repeat.children.push_back(std::move(atom));
    return repeat;
  }

  const std::u32string pattern_;
  const RegexFlags flags_;
  size_t position_ = 0;
};

}  // namespace

Result<RegexFlags> ParseRegexFlags(std::string_view letters) {
  RegexFlags flags;
  for (const char letter : letters) {
    switch (letter) {
      case 'i':
        flags.ignore_case = true;
        break;
      case 'm':
        flags.multiple_lines = true;
        break;
      case 's':
        flags.dot_matches_newline = true;
        break;
      case 'x':
        flags.ignore_space = true;
        break;
      default:
        return Fail(Code::kInvalidArgument,
                    "the modifiers of a regular expression are m, s, i and x");
    }
  }
  return flags;
}

Result<RegexNode> ParseRegex(std::string_view pattern, RegexFlags flags) {
  if (pattern.size() > kRegexPatternBytesMax)
    return Fail(Code::kTooLarge, "a regular expression exceeds 8 KB");
  return Parser(ToCodePoints(pattern), flags).Parse();
}

}  // namespace orrery::sql
