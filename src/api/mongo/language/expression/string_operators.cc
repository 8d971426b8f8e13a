#include <fmt/core.h>

#include <algorithm>
#include <cctype>

#include "api/mongo/language/expression/date_time.h"
#include "api/mongo/language/expression/operator_table.h"
#include "api/mongo/language/value/bson_type_name.h"
#include "api/mongo/language/value/number.h"
#include "api/mongo/language/value/pattern.h"
#include "api/mongo/language/value/work.h"
#include "model/value_text.h"

namespace orrery::mongo {
namespace {

using model::Kind;
using model::Value;
using model::Values;

std::string NameOfType(const Value& value) { return std::string(BsonTypeName(value.kind())); }

bool IsContinuation(char byte) { return (static_cast<uint8_t>(byte) & 0xc0) == 0x80; }

// The byte where each character begins, and the end.
std::vector<size_t> CharacterStarts(std::string_view text) {
  std::vector<size_t> starts;
  for (size_t i = 0; i < text.size(); ++i) {
    if (!IsContinuation(text[i])) starts.push_back(i);
  }
  starts.push_back(text.size());
  return starts;
}

// "Jan  1 00:00:07:1": the time without its year, and the increment.
std::string TimestampText(model::BsonTimestamp timestamp) {
  static constexpr std::string_view kShortMonths[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                      "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const DateParts parts = PartsOf(int64_t{timestamp.seconds} * 1000);
  return fmt::format("{} {:2} {:02}:{:02}:{:02}:{}",
                     kShortMonths[static_cast<size_t>(parts.month - 1)], parts.day, parts.hour,
                     parts.minute, parts.second, timestamp.increment);
}

// The kinds that operators on text accept beside strings.
Answer<std::string> TextOf(const Call& call, const Value& value, int32_t code) {
  switch (value.kind()) {
    case Kind::kString:
    case Kind::kSymbol:
    case Kind::kJavaScript:
      return value.AsString();
    case Kind::kNull:
    case Kind::kUndefined:
      return std::string();
    case Kind::kInt32:
    case Kind::kInt64:
      return std::to_string(value.AsInteger());
    case Kind::kDouble:
      return fmt::format("{:.6g}", value.AsDouble());
    case Kind::kDecimal128:
      return model::FormatDecimal128(value.AsDecimal128());
    case Kind::kDateTime:
      return model::FormatDateTime(value.AsDateTime());
    case Kind::kTimestamp:
      return TimestampText(value.AsTimestamp());
    default:
      break;
  }
  static_cast<void>(call);
  return Refuse(code, fmt::format("can't convert from BSON type {} to String", NameOfType(value)));
}

Answer<Value> Concat(const Call& call) {
  std::string joined;
  for (const Value& value : call.arguments) {
    if (IsNullish(value)) return Value::Null();
    if (value.kind() != Kind::kString) {
      return Refuse(16702, fmt::format("$concat only supports strings, not {}", NameOfType(value)));
    }
    if (joined.size() + value.AsString().size() > kMadeBytesMax)
      return Refuse(ErrorCode::kExceededMemoryLimit, "$concat would make too long a string");
    joined += value.AsString();
  }
  return Value::String(std::move(joined));
}

Answer<Value> ChangeCase(const Call& call) {
  MONGO_ASSIGN(std::string text, TextOf(call, call[0], 16007));
  const bool is_upper = call.name == "$toUpper";
  // ASCII only, as MongoDB does it.
  for (char& c : text) {
    if (is_upper ? c >= 'a' && c <= 'z' : c >= 'A' && c <= 'Z') c = static_cast<char>(c ^ 0x20);
  }
  return Value::String(std::move(text));
}

Answer<Value> StrCaseCmp(const Call& call) {
  std::string texts[2];
  for (size_t i = 0; i < 2; ++i) {
    MONGO_ASSIGN(texts[i], TextOf(call, call[i], 16007));
    for (char& c : texts[i]) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  }
  const int order = texts[0].compare(texts[1]);
  return Value::Int32(order < 0 ? -1 : order > 0 ? 1 : 0);
}

Answer<Value> StrLen(const Call& call) {
  const bool is_bytes = call.name == "$strLenBytes";
  if (call[0].kind() != Kind::kString) {
    return Refuse(is_bytes ? 34473 : 34471, fmt::format("{} requires a string argument, found: {}",
                                                        call.name, NameOfType(call[0])));
  }
  const std::string& text = call[0].AsString();
  const size_t size = is_bytes ? text.size() : CharacterStarts(text).size() - 1;
  return Value::Int32(static_cast<int32_t>(size));
}

Answer<Value> SubstrBytes(const Call& call) {
  MONGO_ASSIGN(const std::string text, TextOf(call, call[0], 16007));
  for (size_t i = 1; i < 3; ++i) {
    if (!call[i].is_number()) {
      return Refuse(i == 1 ? 16034 : 16035,
                    fmt::format("{}:  {} must be a numeric type (is BSON type {})", call.name,
                                i == 1 ? "starting index" : "length", NameOfType(call[i])));
    }
  }
  const int64_t begin = TruncatedInt64(call[1]).value_or(0);
  const int64_t length = TruncatedInt64(call[2]).value_or(0);
  if (begin < 0) {
    return Refuse(
        50752, fmt::format("{}:  starting index must be non-negative (got: {})", call.name, begin));
  }
  const auto size = static_cast<int64_t>(text.size());
  if (begin >= size) return Value::String("");
  const int64_t end = length < 0 ? size : std::min(size, begin + std::min(length, size));
  if (IsContinuation(text[static_cast<size_t>(begin)])) {
    return Refuse(
        28656,
        fmt::format("{}:  Invalid range, starting index is a UTF-8 continuation byte.", call.name));
  }
  if (end < size && IsContinuation(text[static_cast<size_t>(end)])) {
    return Refuse(28657, fmt::format("{}:  Invalid range, ending index is in the middle of a UTF-8 "
                                     "character.",
                                     call.name));
  }
  return Value::String(text.substr(static_cast<size_t>(begin), static_cast<size_t>(end - begin)));
}

Answer<Value> SubstrCp(const Call& call) {
  MONGO_ASSIGN(const std::string text, TextOf(call, call[0], 16007));
  int64_t numbers[2];
  for (size_t i = 1; i < 3; ++i) {
    if (!call[i].is_number()) {
      return Refuse(i == 1 ? 34450 : 34452,
                    fmt::format("{}: {} must be a numeric type (is BSON type {})", call.name,
                                i == 1 ? "starting index" : "length", NameOfType(call[i])));
    }
    const std::optional<int64_t> number = ExactInt64(call[i]);
    if (!number.has_value()) {
      return Refuse(i == 1 ? 34451 : 34453,
                    fmt::format("{}: {} cannot be represented as a 32-bit integral value",
                                call.name, i == 1 ? "starting index" : "length"));
    }
    if (*number < 0) {
      return Refuse(i == 1 ? 34455 : 34454,
                    fmt::format("{}: {} must be a nonnegative integer.", call.name,
                                i == 1 ? "the starting index" : "length"));
    }
    numbers[i - 1] = *number;
  }
  const std::vector<size_t> starts = CharacterStarts(text);
  const auto count = static_cast<int64_t>(starts.size()) - 1;
  if (numbers[0] >= count) return Value::String("");
  const int64_t end = std::min(count, numbers[0] + std::min(numbers[1], count));
  const size_t from = starts[static_cast<size_t>(numbers[0])];
  return Value::String(text.substr(from, starts[static_cast<size_t>(end)] - from));
}

Answer<Value> IndexOfText(const Call& call) {
  const bool is_bytes = call.name == "$indexOfBytes";
  if (IsNullish(call[0])) return Value::Null();
  for (size_t i = 0; i < 2; ++i) {
    if (call[i].kind() != Kind::kString) {
      return Refuse(is_bytes ? (i == 0 ? 40091 : 40092) : (i == 0 ? 40093 : 40094),
                    fmt::format("{} requires a string as the {} argument, found: {}", call.name,
                                i == 0 ? "first" : "second", NameOfType(call[i])));
    }
  }
  const std::string& text = call[0].AsString();
  const std::vector<size_t> starts = CharacterStarts(text);
  const auto size = static_cast<int64_t>(is_bytes ? text.size() : starts.size() - 1);
  int64_t bounds[2] = {0, size};
  for (size_t i = 2; i < call.size(); ++i) {
    const std::optional<int64_t> number =
        call[i].is_number() ? ExactInt64(call[i]) : std::optional<int64_t>();
    if (!number.has_value()) {
      return Refuse(40096,
                    fmt::format("{} requires an integral {} index, found a value of type: {}",
                                call.name, i == 2 ? "starting" : "ending", NameOfType(call[i])));
    }
    if (*number < 0) {
      return Refuse(40097, fmt::format("{} requires a nonnegative {} index, found: {}", call.name,
                                       i == 2 ? "starting" : "ending", *number));
    }
    bounds[i - 2] = *number;
  }
  if (bounds[0] > size || bounds[0] > bounds[1]) return Value::Int32(-1);
  const int64_t end = std::min(bounds[1], size);
  const auto byte_of = [&](int64_t index) {
    return is_bytes ? static_cast<size_t>(index) : starts[static_cast<size_t>(index)];
  };
  const size_t found = text.find(call[1].AsString(), byte_of(bounds[0]));
  if (found == std::string::npos || found + call[1].AsString().size() > byte_of(end)) {
    return Value::Int32(-1);
  }
  if (is_bytes) return Value::Int32(static_cast<int32_t>(found));
  const auto at = std::ranges::lower_bound(starts, found) - starts.begin();
  return Value::Int32(static_cast<int32_t>(at));
}

Answer<Value> Split(const Call& call) {
  if (IsNullish(call[0]) || IsNullish(call[1])) return Value::Null();
  for (size_t i = 0; i < 2; ++i) {
    if (call[i].kind() != Kind::kString) {
      return Refuse(i == 0 ? 40085 : 40086,
                    fmt::format("$split requires an expression that evaluates to a string as a {} "
                                "argument, found: {}",
                                i == 0 ? "first" : "second", NameOfType(call[i])));
    }
  }
  const std::string& separator = call[1].AsString();
  if (separator.empty()) return Refuse(40087, "$split requires a non-empty separator");
  Values parts;
  std::string_view rest = call[0].AsString();
  while (true) {
    const size_t at = rest.find(separator);
    parts.push_back(Value::String(std::string(rest.substr(0, at))));
    if (at == std::string_view::npos) return Value::Array(std::move(parts));
    rest.remove_prefix(at + separator.size());
  }
}

constexpr ListOperator kStringOperators[] = {
    {"$concat", 0, kAnyArguments, Concat, true, nullptr, NullStop::kEach},
    {"$toUpper", 1, 1, ChangeCase},
    {"$toLower", 1, 1, ChangeCase},
    {"$strcasecmp", 2, 2, StrCaseCmp},
    {"$strLenBytes", 1, 1, StrLen},
    {"$strLenCP", 1, 1, StrLen},
    {"$substr", 3, 3, SubstrBytes},
    {"$substrBytes", 3, 3, SubstrBytes},
    {"$substrCP", 3, 3, SubstrCp},
    {"$indexOfBytes", 2, 4, IndexOfText, true, nullptr, NullStop::kFirst},
    {"$indexOfCP", 2, 4, IndexOfText, true, nullptr, NullStop::kFirst},
    {"$split", 2, 2, Split},
};

constexpr std::string_view kWhiteSpace[] = {std::string_view("\0", 1),
                                            " ",
                                            "\t",
                                            "\n",
                                            "\v",
                                            "\f",
                                            "\r",
                                            "\u00a0",
                                            "\u1680",
                                            "\u2000",
                                            "\u2001",
                                            "\u2002",
                                            "\u2003",
                                            "\u2004",
                                            "\u2005",
                                            "\u2006",
                                            "\u2007",
                                            "\u2008",
                                            "\u2009",
                                            "\u200a"};

Answer<Value> Trim(const Call& call) {
  if (IsNullish(call[0])) return Value::Null();
  if (call[0].kind() != Kind::kString) {
    return Refuse(50699, fmt::format("{} requires its input to be a string, got {} (of type {}) "
                                     "instead.",
                                     call.name, "", NameOfType(call[0])));
  }
  std::vector<std::string> characters(std::begin(kWhiteSpace), std::end(kWhiteSpace));
  if (call.is_given(1)) {
    if (IsNullish(call[1])) return Value::Null();
    if (call[1].kind() != Kind::kString) {
      return Refuse(50700,
                    fmt::format("{} requires 'chars' to be a string, got (of type {}) instead.",
                                call.name, NameOfType(call[1])));
    }
    characters.clear();
    const std::vector<size_t> starts = CharacterStarts(call[1].AsString());
    for (size_t i = 0; i + 1 < starts.size(); ++i) {
      characters.push_back(call[1].AsString().substr(starts[i], starts[i + 1] - starts[i]));
    }
  }
  std::string_view text = call[0].AsString();
  const auto strip = [&](bool from_front) {
    bool is_again = true;
    while (is_again) {
      is_again = false;
      for (const std::string& character : characters) {
        if (from_front ? text.starts_with(character) : text.ends_with(character)) {
          from_front ? text.remove_prefix(character.size()) : text.remove_suffix(character.size());
          is_again = true;
        }
      }
    }
  };
  if (call.name != "$rtrim") strip(true);
  if (call.name != "$ltrim") strip(false);
  return Value::String(std::string(text));
}

Answer<Value> Replace(const Call& call) {
  constexpr int32_t kCodes[] = {51746, 51745, 51744};
  constexpr std::string_view kNames[] = {"input", "find", "replacement"};
  bool is_null = false;
  for (size_t i = 0; i < 3; ++i) {
    if (IsNullish(call[i])) {
      is_null = true;
    } else if (call[i].kind() != Kind::kString) {
      return Refuse(kCodes[i], fmt::format("{} requires that '{}' be a string, found: {}",
                                           call.name, kNames[i], NameOfType(call[i])));
    }
  }
  if (is_null) return Value::Null();
  const std::string& text = call[0].AsString();
  const std::string& find = call[1].AsString();
  std::string out;
  size_t at = 0;
  while (at <= text.size()) {
    const size_t found = text.find(find, at);
    if (found == std::string::npos) break;
    out.append(text, at, found - at).append(call[2].AsString());
    at = found + find.size();
    if (call.name == "$replaceOne") break;
    if (find.empty()) {
      if (at < text.size()) out.push_back(text[at]);
      ++at;
    }
  }
  if (at < text.size()) out.append(text, at);
  return Value::String(std::move(out));
}

Value FoundValue(const std::string& text, const model::RegexMatch& match) {
  const auto part = [&](const model::RegexSpan& span) {
    return Value::String(text.substr(span.begin, span.end - span.begin));
  };
  const std::vector<size_t> starts = CharacterStarts(text);
  const auto index = std::ranges::lower_bound(starts, match.whole.begin) - starts.begin();
  Values captures;
  for (const std::optional<model::RegexSpan>& group : match.groups) {
    captures.push_back(group.has_value() ? part(*group) : Value::Null());
  }
  return Value::Object({{"match", part(match.whole)},
                        {"idx", Value::Int32(static_cast<int32_t>(index))},
                        {"captures", Value::Array(std::move(captures))}});
}

// The pattern of a regular expression's operands; null if one is null.
Answer<PatternPtr> PatternOf(std::string_view name, const Value& regex, const Value& options) {
  const auto is_text = [](const Value& value) { return value.kind() == Kind::kString; };
  if (!IsNullish(regex) && !is_text(regex) && regex.kind() != Kind::kRegex) {
    return Refuse(51105, fmt::format("{} needs 'regex' to be of type string or regex", name));
  }
  if (!IsNullish(options) && !is_text(options)) {
    return Refuse(51106, fmt::format("{} needs 'options' to be of type string", name));
  }
  if (IsNullish(regex)) return PatternPtr();
  std::string pattern;
  std::string flags;
  if (regex.kind() == Kind::kRegex) {
    pattern = regex.AsRegex().pattern;
    flags = regex.AsRegex().options;
    if (!flags.empty() && is_text(options) && !options.AsString().empty()) {
      return Refuse(51107, fmt::format("{}: found regex option(s) specified in both 'regex' and "
                                       "'option' fields",
                                       name));
    }
  } else {
    pattern = regex.AsString();
  }
  if (is_text(options) && flags.empty()) flags = options.AsString();
  Answer<PatternPtr> compiled = Pattern::Compile(pattern, flags);
  if (!compiled.has_value()) {
    MongoError error = std::move(compiled).error();
    if (error.code == 51091) error.code = 51111;
    return std::unexpected(std::move(error).Prefixed(std::string(name) + ": "));
  }
  return compiled;
}

Outcome CheckRegex(std::string_view name, std::span<const ExpressionPtr> arguments) {
  const Value* regex = arguments[1]->constant();
  const Value none;
  const Value* options = arguments[2] == nullptr ? &none : arguments[2]->constant();
  if (regex == nullptr || options == nullptr) return {};
  const Answer<PatternPtr> pattern = PatternOf(name, *regex, *options);
  if (!pattern.has_value()) return std::unexpected(pattern.error());
  return {};
}

Answer<Value> RegexSearch(const Call& call) {
  const bool is_all = call.name == "$regexFindAll";
  const bool is_match = call.name == "$regexMatch";
  const Value nothing = is_match ? Value::Bool(false) : is_all ? Value::Array({}) : Value::Null();
  const auto is_text = [](const Value& value) { return value.kind() == Kind::kString; };
  if (!IsNullish(call[0]) && !is_text(call[0])) {
    return Refuse(51104, fmt::format("{} needs 'input' to be of type string", call.name));
  }
  MONGO_ASSIGN(const PatternPtr pattern, PatternOf(call.name, call[1], call[2]));
  if (IsNullish(call[0]) || pattern == nullptr) return nothing;
  const std::string& text = call[0].AsString();
  Values all;
  size_t from = 0;
  // An empty match at the end of a text that is not empty is none.
  while (from < text.size() || from == 0) {
    MONGO_ASSIGN(const std::optional<model::RegexMatch> match, pattern->Find(text, from));
    if (!match.has_value()) break;
    if (is_match) return Value::Bool(true);
    if (!is_all) return FoundValue(text, *match);
    all.push_back(FoundValue(text, *match));
    from = match->whole.end;
    if (match->whole.end == match->whole.begin) {
      do {
        ++from;
      } while (from < text.size() && IsContinuation(text[from]));
    }
  }
  return is_all ? Value::Array(std::move(all)) : nothing;
}

constexpr NamedArgument kTrimArguments[] = {{"input", true}, {"chars"}};
constexpr NamedArgument kReplaceArguments[] = {
    {"input", true}, {"find", true}, {"replacement", true}};
constexpr NamedArgument kRegexArguments[] = {{"input", true}, {"regex", true}, {"options"}};

constexpr NamedOperator kNamedStringOperators[] = {
    {"$trim", kTrimArguments, Trim, 50696, 50694, 50695},
    {"$ltrim", kTrimArguments, Trim, 50696, 50694, 50695},
    {"$rtrim", kTrimArguments, Trim, 50696, 50694, 50695},
    {"$replaceOne", kReplaceArguments, Replace, 51751, 51750, 51748, false},
    {"$replaceAll", kReplaceArguments, Replace, 51751, 51750, 51748, false},
    {"$regexFind", kRegexArguments, RegexSearch, 51103, 31024, 31022, false, CheckRegex},
    {"$regexFindAll", kRegexArguments, RegexSearch, 51103, 31024, 31022, false, CheckRegex},
    {"$regexMatch", kRegexArguments, RegexSearch, 51103, 31024, 31022, false, CheckRegex},
};

}  // namespace

std::span<const ListOperator> StringOperators() { return kStringOperators; }
std::span<const NamedOperator> NamedStringOperators() { return kNamedStringOperators; }

}  // namespace orrery::mongo
