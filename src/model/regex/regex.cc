#include "model/regex/regex.h"

#include <fmt/format.h>

#include <array>
#include <string>
#include <utility>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

namespace orrery::model {
namespace {

// The memory that a search may use for alternatives that it has not tried yet.
constexpr uint32_t kHeapKibibytesMax = 32 << 10;

template <auto Free>
struct Freed {
  template <typename T>
  void operator()(T* each) const {
    Free(each);
  }
};
using CodePtr = std::unique_ptr<pcre2_code, Freed<pcre2_code_free>>;
using CompileContextPtr = std::unique_ptr<pcre2_compile_context, Freed<pcre2_compile_context_free>>;
using MatchContextPtr = std::unique_ptr<pcre2_match_context, Freed<pcre2_match_context_free>>;
using MatchDataPtr = std::unique_ptr<pcre2_match_data, Freed<pcre2_match_data_free>>;

PCRE2_SPTR BytesOf(std::string_view text) {
  // An empty view may have no address, which PCRE2 does not take.
  return reinterpret_cast<PCRE2_SPTR>(text.empty() ? "" : text.data());
}

std::string MessageOf(int error) {
  std::array<PCRE2_UCHAR, 256> text{};
  pcre2_get_error_message(error, text.data(), text.size());
  return reinterpret_cast<const char*>(text.data());
}

uint32_t FlagsOf(const RegexOptions& options) {
  // A callout before every item of the pattern is what counts steps.
  uint32_t flags = PCRE2_UTF | PCRE2_NEVER_BACKSLASH_C | PCRE2_AUTO_CALLOUT;
  if (options.ignore_case) flags |= PCRE2_CASELESS;
  if (options.multiple_lines) flags |= PCRE2_MULTILINE;
  if (options.dot_matches_newline) flags |= PCRE2_DOTALL;
  if (options.ignore_space) flags |= PCRE2_EXTENDED;
  if (options.unicode_classes) flags |= PCRE2_UCP;
  if (options.short_escapes) flags |= PCRE2_ALT_BSUX;
  return flags;
}

// Returns whether a pattern that cannot be compiled is too large, rather than invalid.
bool IsTooLarge(int error) {
  switch (error) {
    case PCRE2_ERROR_PARENTHESES_NEST_TOO_DEEP:
    case PCRE2_ERROR_PATTERN_TOO_LARGE:
    case PCRE2_ERROR_PATTERN_TOO_COMPLICATED:
    case PCRE2_ERROR_PATTERN_STRING_TOO_LONG:
    case PCRE2_ERROR_QUANTIFIER_TOO_BIG:
    case PCRE2_ERROR_LOOKBEHIND_TOO_COMPLICATED:
    case PCRE2_ERROR_HEAP_FAILED:
      return true;
    default:
      return false;
  }
}

// Counts the items of the pattern that are tried, and the characters that each has taken, which may
// be all of the text.
struct StepCount {
  size_t steps = 0;
  size_t position = 0;

  static int Add(pcre2_callout_block* block, void* data) {
    auto& count = *static_cast<StepCount*>(data);
    ++count.steps;
    if (block->current_position > count.position)
      count.steps += block->current_position - count.position;
    count.position = block->current_position;
    return count.steps > kRegexStepsMax ? PCRE2_ERROR_CALLOUT : 0;
  }
};

// One search. Keeps what PCRE2 needs for it.
class Matching {
 public:
  Matching(const pcre2_code* code, std::string_view text)
      : code_(code),
        text_(text),
        data_(pcre2_match_data_create_from_pattern(code, nullptr)),
        context_(pcre2_match_context_create(nullptr)) {
    pcre2_set_match_limit(context_.get(), kRegexStepsMax);
    pcre2_set_heap_limit(context_.get(), kHeapKibibytesMax);
    pcre2_set_callout(context_.get(), StepCount::Add, &count_);
  }

  int Try(size_t offset) {
    count_ = {};
    return pcre2_match(code_, BytesOf(text_), text_.size(), offset, 0, data_.get(), context_.get());
  }

  const size_t* spans() const { return pcre2_get_ovector_pointer(data_.get()); }

 private:
  const pcre2_code* const code_;
  const std::string_view text_;
  const MatchDataPtr data_;
  const MatchContextPtr context_;
  StepCount count_;
};

bool IsUsedUp(int result) {
  return result == PCRE2_ERROR_CALLOUT || result == PCRE2_ERROR_MATCHLIMIT ||
         result == PCRE2_ERROR_HEAPLIMIT || result == PCRE2_ERROR_DEPTHLIMIT ||
         result == PCRE2_ERROR_NOMEMORY || result == PCRE2_ERROR_RECURSELOOP;
}

// REQUIRES: `result` is an error of a search.
std::unexpected<Error> FailureOf(int result) {
  if (result <= PCRE2_ERROR_UTF8_ERR1 && result >= PCRE2_ERROR_UTF8_ERR21)
    return Fail(Code::kInvalidArgument, "a regular expression is searched for in text only");
  if (IsUsedUp(result))
    return Fail(Code::kTooLarge,
                "the regular expression takes too many steps on this text; make the pattern "
                "simpler, or begin it with ^");
  return Fail(Code::kInternal, "regular expression: " + MessageOf(result));
}

}  // namespace

struct Regex::Compiled {
  CodePtr code;
};

Regex::Regex(std::unique_ptr<const Compiled> compiled) : compiled_(std::move(compiled)) {}
Regex::Regex(Regex&&) noexcept = default;
Regex& Regex::operator=(Regex&&) noexcept = default;
Regex::~Regex() = default;

Result<Regex> Regex::Compile(std::string_view pattern, RegexOptions options) {
  if (pattern.size() > kRegexPatternBytesMax)
    return Fail(Code::kTooLarge, "the regular expression is too long");
  const CompileContextPtr context(pcre2_compile_context_create(nullptr));
  pcre2_set_newline(context.get(), PCRE2_NEWLINE_LF);
  pcre2_set_parens_nest_limit(context.get(), kRegexDepthMax);
  int error = 0;
  size_t place = 0;
  CodePtr code(pcre2_compile(BytesOf(pattern), pattern.size(), FlagsOf(options), &error, &place,
                             context.get()));
  if (code != nullptr) return Regex(std::make_unique<const Compiled>(std::move(code)));
  if (IsTooLarge(error))
    return Fail(Code::kTooLarge, "the regular expression is too large: " + MessageOf(error));
  return Fail(Code::kInvalidArgument,
              fmt::format("invalid regular expression: {} (at byte {})", MessageOf(error), place));
}

Result<bool> Regex::Search(std::string_view text) const {
  Matching matching(compiled_->code.get(), text);
  const int result = matching.Try(0);
  if (result == PCRE2_ERROR_NOMATCH) return false;
  if (result < 0) return FailureOf(result);
  return true;
}

Result<std::optional<RegexMatch>> Regex::Find(std::string_view text, size_t offset) const {
  Matching matching(compiled_->code.get(), text);
  const int result = matching.Try(offset);
  if (result == PCRE2_ERROR_NOMATCH) return std::nullopt;
  if (result < 0) return FailureOf(result);
  const size_t* const spans = matching.spans();
  RegexMatch match{.whole = {.begin = spans[0], .end = spans[1]}, .groups = {}};
  match.groups.resize(group_count());
  for (size_t i = 0; i < match.groups.size(); ++i) {
    const size_t begin = spans[2 * (i + 1)];
    if (begin != PCRE2_UNSET) match.groups[i] = {.begin = begin, .end = spans[2 * (i + 1) + 1]};
  }
  return match;
}

size_t Regex::group_count() const {
  uint32_t count = 0;
  pcre2_pattern_info(compiled_->code.get(), PCRE2_INFO_CAPTURECOUNT, &count);
  return count;
}

}  // namespace orrery::model
