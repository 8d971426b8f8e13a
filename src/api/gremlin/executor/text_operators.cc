// Steps on strings and dates: asString, concat, length, toLower, toUpper, trim, lTrim, rTrim,
// replace, split, substring, reverse, asDate, dateAdd, dateDiff. Positions count characters.
#include <algorithm>
#include <ranges>

#include "api/gremlin/executor/child.h"
#include "api/gremlin/executor/families.h"
#include "api/gremlin/value/element.h"
#include "api/gremlin/value/text.h"
#include "model/expression/letter_case.h"

namespace orrery::gremlin {
namespace {

constexpr std::string_view kSpace = " \t\n\v\f\r";

std::string_view LeftTrimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(kSpace);
  return begin == std::string_view::npos ? std::string_view() : text.substr(begin);
}
std::string_view RightTrimmed(std::string_view text) {
  const size_t end = text.find_last_not_of(kSpace);
  return end == std::string_view::npos ? std::string_view() : text.substr(0, end + 1);
}

// The characters of UTF-8 text.
std::vector<std::string_view> Characters(std::string_view text) {
  std::vector<std::string_view> characters;
  size_t begin = 0;
  for (size_t i = 1; i <= text.size(); ++i) {
    const bool ends = i == text.size() || (static_cast<uint8_t>(text[i]) & 0xC0) != 0x80;
    if (!ends) continue;
    characters.push_back(text.substr(begin, i - begin));
    begin = i;
  }
  return characters;
}

std::string Replaced(std::string_view text, std::string_view from, std::string_view to) {
  std::string result;
  size_t at = 0;
  while (true) {
    const size_t found = from.empty() ? std::string_view::npos : text.find(from, at);
    result += text.substr(at, found == std::string_view::npos ? found : found - at);
    if (found == std::string_view::npos) return result;
    result += to;
    at = found + from.size();
  }
}

Values SplitAtSpace(std::string_view text) {
  Values parts;
  while (!(text = LeftTrimmed(text)).empty()) {
    const size_t end = std::min(text.find_first_of(kSpace), text.size());
    parts.push_back(Value::String(std::string(text.substr(0, end))));
    text.remove_prefix(end);
  }
  return parts;
}

// Separators that follow one another are one, and one at the beginning is none; behind one at the
// end is an empty text. REQUIRES: a separator.
Values SplitAtText(std::string_view text, std::string_view separator) {
  Values parts;
  if (text.empty()) return parts;
  while (true) {
    const size_t found = text.find(separator);
    if (found != 0) parts.push_back(Value::String(std::string(text.substr(0, found))));
    if (found == std::string_view::npos) return parts;
    text.remove_prefix(found + separator.size());
  }
}

// Negative positions count from the end; what is outside is the nearest end.
std::string Substring(std::string_view text, int64_t begin, std::optional<int64_t> end) {
  const auto characters = Characters(text);
  const auto size = static_cast<int64_t>(characters.size());
  const auto place = [size](int64_t position) {
    return std::clamp<int64_t>(position < 0 ? position + size : position, 0, size);
  };
  std::string result;
  const int64_t last = end.has_value() ? place(*end) : size;
  for (int64_t i = place(begin); i < last; ++i) result += characters[static_cast<size_t>(i)];
  return result;
}

std::string Reversed(std::string_view text) {
  auto characters = Characters(text);
  std::string result;
  for (const std::string_view each : std::views::reverse(characters)) result += each;
  return result;
}

// Returns the result of a step for one string.
Result<Value> OfText(const Step& step, const std::string& text, const Values& args) {
  const std::string& name = step.name;
  if (name == "length") return Value::Int(static_cast<int32_t>(Characters(text).size()));
  if (name == "toLower") return Value::String(model::ToLowerCase(text));
  if (name == "toUpper") return Value::String(model::ToUpperCase(text));
  if (name == "trim") return Value::String(std::string(LeftTrimmed(RightTrimmed(text))));
  if (name == "lTrim") return Value::String(std::string(LeftTrimmed(text)));
  if (name == "rTrim") return Value::String(std::string(RightTrimmed(text)));
  if (name == "replace") {
    if (args.size() != 2) return Fail(Code::kInvalidArgument, "replace() takes two strings");
    if (args[0].is_null() || args[1].is_null()) return Value::String(text);
    if (!args[0].is_string() || !args[1].is_string())
      return Fail(Code::kInvalidArgument, "replace() takes two strings");
    return Value::String(Replaced(text, args[0].AsString(), args[1].AsString()));
  }
  if (name == "split") {
    if (args.size() != 1 || !(args[0].is_null() || args[0].is_string()))
      return Fail(Code::kInvalidArgument, "split() takes a separator or null");
    const bool at_space = args[0].is_null() || args[0].AsString().empty();
    return Value::List(at_space ? SplitAtSpace(text) : SplitAtText(text, args[0].AsString()));
  }
  // substring
  if (args.empty() || args.size() > 2 ||
      !std::ranges::all_of(args, [](const Value& arg) { return arg.is_integer(); }))
    return Fail(Code::kInvalidArgument, "substring() takes one or two positions");
  return Value::String(
      Substring(text, args[0].AsInteger(),
                args.size() == 2 ? std::optional(args[1].AsInteger()) : std::nullopt));
}

// The step's arguments without the scope, and whether that is local.
struct Scoped {
  Values args;
  bool is_local = false;
};
Scoped ScopedArgs(const Step& step) {
  Scoped scoped{.args = step.args, .is_local = false};
  if (!scoped.args.empty() && scoped.args.front().is_enum("Scope")) {
    scoped.is_local = scoped.args.front().AsEnum().name == "local";
    scoped.args.erase(scoped.args.begin());
  }
  return scoped;
}

Result<Value> MapText(const Step& step, const Value& value) {
  const Scoped scoped = ScopedArgs(step);
  if (value.is_null()) return value;
  if (value.is_string()) return OfText(step, value.AsString(), scoped.args);
  if (!scoped.is_local) {
    return Fail(Code::kInvalidArgument,
                "The " + step.name + "() step can only take string as argument, encountered " +
                    std::string(TypeName(value.type())));
  }
  if (!value.is_collection()) {
    return Fail(Code::kInvalidArgument, "The " + step.name +
                                            "(local) step can only take string or list of "
                                            "strings, encountered " +
                                            std::string(TypeName(value.type())));
  }
  Values items;
  for (const Value& item : value.AsItems()) {
    if (!item.is_null() && !item.is_string()) {
      return Fail(Code::kInvalidArgument,
                  "The " + step.name + "(local) step can only take string or list of strings");
    }
    if (item.is_null()) {
      items.push_back(item);
      continue;
    }
    ORRERY_ASSIGN(Value made, OfText(step, item.AsString(), scoped.args));
    items.push_back(std::move(made));
  }
  return Value::List(std::move(items));
}

Result<Value> AsString(const Step& step, const Value& value) {
  const auto one = [](const Value& each) {
    return each.is_null() ? each : Value::String(ToText(each));
  };
  if (!ScopedArgs(step).is_local || !value.is_collection()) return one(value);
  Values items;
  for (const Value& item : value.AsItems()) items.push_back(one(item));
  return Value::List(std::move(items));
}

Result<Value> Reverse(const Value& value) {
  if (value.is_string()) return Value::String(Reversed(value.AsString()));
  if (!value.is_collection() && value.type() != Type::kPath) return value;
  Values items = value.type() == Type::kPath ? value.AsPath().objects : value.AsItems();
  std::ranges::reverse(items);
  return Value::List(std::move(items));
}

Result<Value> AsDate(const Value& value) {
  if (value.type() == Type::kDate) return value;
  if (value.is_integer()) return Value::Date(value.AsInteger());
  if (value.is_string()) {
    if (const auto ms = ParseDate(value.AsString())) return Value::Date(*ms);
  }
  return Fail(Code::kInvalidArgument, "Can't parse " + ToText(value) + " as Date.");
}

Result<Value> DateAdd(const Step& step, const Value& value) {
  const bool is_call =
      step.args.size() == 2 && step.args[0].is_enum("DT") && step.args[1].is_integer();
  if (!is_call) return Fail(Code::kInvalidArgument, "dateAdd() takes a DT and a whole number");
  if (value.type() != Type::kDate)
    return Fail(Code::kInvalidArgument, "dateAdd() follows dates, not " + ToText(value));
  const std::string& unit = step.args[0].AsEnum().name;
  const int64_t ms = unit == "second"   ? 1'000
                     : unit == "minute" ? 60'000
                     : unit == "hour"   ? 3'600'000
                                        : 86'400'000;
  int64_t added = 0;
  int64_t sum = 0;
  if (__builtin_mul_overflow(ms, step.args[1].AsInteger(), &added) ||
      __builtin_add_overflow(value.AsInteger(), added, &sum))
    return Fail(Code::kInvalidArgument, "dateAdd() gives no date");
  return Value::Date(sum);
}

// Makes one value of each traverser.
class OneValueOperator final : public BatchOperator {
 public:
  using Make = std::function<Result<Value>(const Traverser&)>;
  OneValueOperator(Run& run, const Step& step, const Pipeline& pipeline, Make make)
      : BatchOperator(run, step, pipeline), make_(std::move(make)) {}

 protected:
  Status Process(Batch in, Batch& out) override {
    for (const Traverser& traverser : in) {
      ORRERY_ASSIGN(Value value, make_(traverser));
      ORRERY_ASSIGN(Traverser moved, run().Moved(traverser, std::move(value)));
      out.push_back(std::move(moved));
    }
    return {};
  }

 private:
  const Make make_;
};

// concat(): strings and the first results of traversals, without nulls.
class ConcatOperator final : public BatchOperator {
 public:
  using BatchOperator::BatchOperator;

 protected:
  Status Process(Batch in, Batch& out) override {
    std::vector<Values> parts(in.size());
    for (size_t i = 0; i < in.size(); ++i) parts[i].push_back(in[i].value);
    for (size_t a = 0; a < step().args.size(); ++a) {
      if (step().children[a] == nullptr) {
        for (Values& part : parts) part.push_back(step().args[a]);
        continue;
      }
      ORRERY_ASSIGN(ChildResults results,
                    RunChild(run(), *step().children[a], in, ChildNeed::kFirst));
      for (size_t i = 0; i < in.size(); ++i) {
        if (!results[i].empty()) parts[i].push_back(results[i].front().value);
      }
    }
    for (size_t i = 0; i < in.size(); ++i) {
      std::optional<std::string> text;
      for (const Value& part : parts[i]) {
        if (part.is_null()) continue;
        if (!part.is_string()) {
          return Fail(Code::kInvalidArgument,
                      "String concat() can only take string as argument, encountered " +
                          std::string(TypeName(part.type())));
        }
        text = text.value_or("") + part.AsString();
      }
      ORRERY_ASSIGN(Traverser moved,
                    run().Moved(in[i], text.has_value() ? Value::String(*text) : Value::Null()));
      out.push_back(std::move(moved));
    }
    return {};
  }
};

// dateDiff(): seconds from the argument to the date.
class DateDiffOperator final : public BatchOperator {
 public:
  using BatchOperator::BatchOperator;

 protected:
  Status Process(Batch in, Batch& out) override {
    ChildResults results;
    if (step().children.front() != nullptr) {
      ORRERY_ASSIGN(results, RunChild(run(), *step().children.front(), in, ChildNeed::kFirst));
    }
    for (size_t i = 0; i < in.size(); ++i) {
      Value other = step().args.front();
      if (step().children.front() != nullptr)
        other = results[i].empty() ? Value::Null() : results[i].front().value;
      if (other.is_null()) other = Value::Date(0);
      if (in[i].value.type() != Type::kDate || other.type() != Type::kDate)
        return Fail(Code::kInvalidArgument, "dateDiff() takes dates");
      const int64_t seconds = (in[i].value.AsInteger() - other.AsInteger()) / 1'000;
      ORRERY_ASSIGN(Traverser moved, run().Moved(in[i], Value::Long(seconds)));
      out.push_back(std::move(moved));
    }
    return {};
  }
};

}  // namespace

MadeOperator MakeTextOperator(Run& run, const Step& step, const Pipeline& pipeline) {
  static constexpr std::string_view kTextSteps[] = {
      "length", "toLower", "toUpper", "trim", "lTrim", "rTrim", "replace", "split", "substring"};
  const std::string& name = step.name;
  const auto make = [&](OneValueOperator::Make each) -> MadeOperator {
    return std::make_unique<OneValueOperator>(run, step, pipeline, std::move(each));
  };
  if (std::ranges::find(kTextSteps, name) != std::end(kTextSteps))
    return make([&step](const Traverser& t) { return MapText(step, t.value); });
  if (name == "asString")
    return make([&step](const Traverser& t) { return AsString(step, t.value); });
  if (name == "reverse") return make([](const Traverser& t) { return Reverse(t.value); });
  if (name == "asDate") return make([](const Traverser& t) { return AsDate(t.value); });
  if (name == "dateAdd")
    return make([&step](const Traverser& t) { return DateAdd(step, t.value); });
  if (name == "concat") return std::make_unique<ConcatOperator>(run, step, pipeline);
  if (name == "dateDiff") {
    if (step.args.size() != 1)
      return Fail(Code::kInvalidArgument, "dateDiff() takes a date or a traversal");
    return std::make_unique<DateDiffOperator>(run, step, pipeline);
  }
  return nullptr;
}

}  // namespace orrery::gremlin
