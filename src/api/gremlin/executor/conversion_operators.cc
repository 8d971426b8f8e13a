// asNumber, asBool, format and call.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "api/gremlin/executor/child.h"
#include "api/gremlin/executor/families.h"
#include "api/gremlin/value/arithmetic.h"
#include "api/gremlin/value/big.h"
#include "api/gremlin/value/big_arithmetic.h"
#include "api/gremlin/value/element.h"
#include "api/gremlin/value/text.h"
#include "query/lexer/character_class.h"

namespace orrery::gremlin {
namespace {

bool IsBlank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

std::string_view Trimmed(std::string_view text) {
  while (!text.empty() && IsBlank(text.front())) text.remove_prefix(1);
  while (!text.empty() && IsBlank(text.back())) text.remove_suffix(1);
  return text;
}

std::optional<Value> WholeOf(std::string_view digits, int base) {
  const bool negative = digits.starts_with('-');
  std::string_view plain = digits;
  if (plain.starts_with('+')) plain.remove_prefix(1);
  int64_t whole = 0;
  const auto [end, error] = std::from_chars(plain.data(), plain.data() + plain.size(), whole, base);
  if (error == std::errc() && end == plain.data() + plain.size()) return Value::Whole(whole);
  if (base != 10 || (negative && digits.size() == 1)) return std::nullopt;
  return ParseBigInteger(digits);
}

// Numbers as asNumber() reads them: an int where it fits, then a long, then a BigInteger; with a
// point or an exponent a float where it has at most seven digits, then a double, then a BigDecimal.
std::optional<Value> ParseNumber(std::string_view text) {
  text = Trimmed(text);
  if (text.empty()) return std::nullopt;
  const std::string_view sign = text.substr(0, text.front() == '-' || text.front() == '+' ? 1 : 0);
  std::string_view digits = text.substr(sign.size());
  if (digits.starts_with("0x") || digits.starts_with("0X") || digits.starts_with('#')) {
    const std::string hex =
        std::string(sign == "-" ? "-" : "") + std::string(digits.substr(digits[0] == '#' ? 1 : 2));
    return WholeOf(hex, 16);
  }
  char suffix = digits.empty() ? '\0' : query::ToLower(digits.back());
  if (suffix != 'l' && suffix != 'f' && suffix != 'd') suffix = '\0';
  if (suffix != '\0') digits.remove_suffix(1);
  if (digits.empty() || !std::ranges::all_of(digits, [](char c) {
        return query::IsDigit(c) || c == '.' || c == 'e' || c == 'E' || c == '-' || c == '+';
      }))
    return std::nullopt;
  const std::string plain = std::string(sign == "-" ? "-" : "") + std::string(digits);
  const bool is_whole = digits.find_first_of(".eE") == std::string_view::npos;
  if (is_whole && suffix == '\0') return WholeOf(plain, 10);
  if (suffix == 'l') {
    auto whole = is_whole ? WholeOf(plain, 10) : std::nullopt;
    if (!whole.has_value() || !whole->is_integer()) return whole;
    return Value::Long(whole->AsInteger());
  }
  double number = 0;
  const auto [end, error] = std::from_chars(plain.data(), plain.data() + plain.size(), number);
  if (end != plain.data() + plain.size()) return std::nullopt;
  const auto significant = static_cast<size_t>(std::ranges::count_if(
      digits.substr(0, digits.find_first_of("eE")), [](char c) { return query::IsDigit(c); }));
  const bool fits_double = error == std::errc() && std::isfinite(number);
  const bool fits_float = fits_double && std::fabs(number) <= std::numeric_limits<float>::max() &&
                          (number == 0 || std::fabs(number) >= std::numeric_limits<float>::min());
  if (suffix == 'f')
    return fits_float ? std::optional(Value::Float(static_cast<float>(number))) : std::nullopt;
  if (suffix == 'd') return fits_double ? std::optional(Value::Double(number)) : std::nullopt;
  constexpr size_t kFloatDigits = 7;
  constexpr size_t kDoubleDigits = 16;
  if (fits_float && significant <= kFloatDigits) return Value::Float(static_cast<float>(number));
  if (fits_double && significant <= kDoubleDigits) return Value::Double(number);
  return ParseBigDecimal(plain);
}

std::string_view JavaName(Type type) {
  switch (type) {
    case Type::kInt:
      return "Integer";
    case Type::kList:
      return "ArrayList";
    default:
      return TypeName(type);
  }
}

std::unexpected<Error> Overflow(const Value& number, std::string_view type) {
  return Fail(Code::kInvalidArgument, "Can't convert number of type " +
                                          std::string(JavaName(number.type())) + " to " +
                                          std::string(type) + " due to overflow.");
}

// The number without what is behind its point, if it is between two limits.
Result<int64_t> Whole(const Value& number, std::string_view type, int64_t low, int64_t high) {
  int64_t whole = 0;
  if (number.is_integer()) {
    whole = number.AsInteger();
  } else {
    if (number.is_floating() && std::isnan(number.AsFloating()))
      return Fail(Code::kInvalidArgument, "Can't convert NaN to " + std::string(type) + ".");
    if (number.is_floating() && std::isinf(number.AsFloating()))
      return Fail(Code::kInvalidArgument,
                  "Can't convert floating point infinity to " + std::string(type) + ".");
    const auto exact = ToBigInteger(number);
    const auto text = exact.has_value() ? WholeOf(ToText(*exact), 10) : std::nullopt;
    if (!text.has_value() || !text->is_integer()) return Overflow(number, type);
    whole = text->AsInteger();
  }
  if (whole < low || whole > high) return Overflow(number, type);
  return whole;
}

Result<Value> Cast(const Value& number, std::string_view type) {
  const auto limits = [](auto of) {
    using Limits = std::numeric_limits<decltype(of)>;
    return std::pair<int64_t, int64_t>(Limits::min(), Limits::max());
  };
  if (type == "BYTE") {
    const auto [low, high] = limits(int8_t{});
    ORRERY_ASSIGN(const int64_t whole, Whole(number, "Byte", low, high));
    return Value::Byte(static_cast<int8_t>(whole));
  }
  if (type == "SHORT") {
    const auto [low, high] = limits(int16_t{});
    ORRERY_ASSIGN(const int64_t whole, Whole(number, "Short", low, high));
    return Value::Short(static_cast<int16_t>(whole));
  }
  if (type == "INT" || type == "INTEGER") {
    const auto [low, high] = limits(int32_t{});
    ORRERY_ASSIGN(const int64_t whole, Whole(number, "Integer", low, high));
    return Value::Int(static_cast<int32_t>(whole));
  }
  if (type == "LONG") {
    const auto [low, high] = limits(int64_t{});
    ORRERY_ASSIGN(const int64_t whole, Whole(number, "Long", low, high));
    return Value::Long(whole);
  }
  if (type == "FLOAT" || type == "DOUBLE") {
    const double value = ToDouble(number);
    const bool is_float = type == "FLOAT";
    const bool was_finite = !number.is_floating() || std::isfinite(number.AsFloating());
    const double limit =
        is_float ? std::numeric_limits<float>::max() : std::numeric_limits<double>::max();
    if (was_finite && !(std::fabs(value) <= limit))
      return Overflow(number, is_float ? "Float" : "Double");
    if (is_float) return Value::Float(static_cast<float>(value));
    if (number.type() != Type::kFloat || !std::isfinite(value)) return Value::Double(value);
    // By its digits: 5.1f is 5.1, not 5.099999904632568.
    double shown = value;
    const std::string text = ToText(number);
    std::from_chars(text.data(), text.data() + text.size(), shown);
    return Value::Double(shown);
  }
  const auto big = type == "BIGINT" ? ToBigInteger(number) : ToBigDecimal(number);
  if (!big.has_value())
    return Fail(Code::kInvalidArgument, "Can't convert " + ToText(number) + " to a big number.");
  return *big;
}

bool IsNumericType(std::string_view type) {
  static constexpr std::string_view kTypes[] = {"BYTE",  "SHORT",  "INT",    "INTEGER",   "LONG",
                                                "FLOAT", "DOUBLE", "BIGINT", "BIGDECIMAL"};
  return std::ranges::find(kTypes, type) != std::end(kTypes);
}

Result<Value> AsNumber(const Value& value, std::string_view type) {
  Value number;
  if (value.is_null()) return number;
  if (value.is_number()) {
    number = value;
  } else if (value.type() == Type::kDate) {
    number = Value::Long(value.AsInteger());
  } else if (value.is_string()) {
    const auto parsed = ParseNumber(value.AsString());
    if (!parsed.has_value())
      return Fail(Code::kInvalidArgument,
                  "Can't parse string '" + value.AsString() + "' as number.");
    number = *parsed;
  } else {
    return Fail(Code::kInvalidArgument,
                "Can't parse type " + std::string(JavaName(value.type())) + " as number.");
  }
  if (type.empty()) return number;
  return Cast(number, type);
}

Result<Value> AsBoolean(const Value& value) {
  if (value.type() == Type::kBool) return value;
  if (value.is_number()) {
    const double number = ToDouble(value);
    return Value::Bool(!std::isnan(number) && number != 0);
  }
  if (value.is_string()) {
    const std::string word = query::ToLower(Trimmed(value.AsString()));
    if (word == "true" || word == "false") return Value::Bool(word == "true");
  }
  const std::string shown =
      value.is_string() || value.is_null() ? ToText(value) : std::string(JavaName(value.type()));
  return Fail(Code::kInvalidArgument, "Can't parse " + shown + " as Boolean.");
}

class ConvertOperator final : public BatchOperator {
 public:
  using Convert = std::function<Result<Value>(const Value&)>;
  ConvertOperator(Run& run, const Step& step, const Pipeline& pipeline, Convert convert)
      : BatchOperator(run, step, pipeline), convert_(std::move(convert)) {}

 protected:
  Status Process(Batch in, Batch& out) override {
    for (const Traverser& traverser : in) {
      ORRERY_ASSIGN(Value value, convert_(traverser.value));
      ORRERY_ASSIGN(Traverser moved, run().Moved(traverser, std::move(value)));
      out.push_back(std::move(moved));
    }
    return {};
  }

 private:
  const Convert convert_;
};

class NoServices final : public BatchOperator {
 public:
  using BatchOperator::BatchOperator;

 protected:
  Status Process(Batch, Batch&) override { return {}; }
};

// format('%{name} is %{age}'): properties, then labels and side effects; %{_} takes the by()s in
// turn. What has no value drops the traverser.
class FormatOperator final : public BatchOperator {
 public:
  FormatOperator(Run& run, const Step& step, const Pipeline& pipeline, std::string_view text)
      : BatchOperator(run, step, pipeline) {
    while (true) {
      const size_t open = text.find("%{");
      const size_t close = open == std::string_view::npos ? open : text.find('}', open);
      if (close == std::string_view::npos) break;
      pieces_.push_back({std::string(text.substr(0, open)),
                         std::string(text.substr(open + 2, close - open - 2))});
      text.remove_prefix(close + 1);
    }
    rest_ = std::string(text);
  }

 protected:
  Status Process(Batch in, Batch& out) override {
    for (const Traverser& traverser : in) {
      std::string text;
      size_t by = 0;
      bool whole = true;
      for (const Piece& piece : pieces_) {
        ORRERY_ASSIGN(const std::optional<Value> value, ValueOf(traverser, piece.name, by));
        whole = value.has_value();
        if (!whole) break;
        text += piece.before;
        text += ToText(*value);
      }
      if (!whole) continue;
      ORRERY_ASSIGN(Traverser moved, run().Moved(traverser, Value::String(text + rest_)));
      out.push_back(std::move(moved));
    }
    return {};
  }

 private:
  struct Piece {
    std::string before;
    std::string name;
  };

  Result<std::optional<Value>> ValueOf(const Traverser& traverser, const std::string& name,
                                       size_t& by) {
    if (name == "_") {
      ORRERY_ASSIGN(Looks looks, LookBy(run(), ByAt(step(), by++), {traverser}));
      return std::move(looks.front());
    }
    if (traverser.value.is_element() && name != "id" && name != "label") {
      auto value = PropertyValue(run(), traverser.value, name);
      if (value.has_value()) return value;
    }
    return ScopeValue(run(), traverser, name, Pop::kLast);
  }

  std::vector<Piece> pieces_;
  std::string rest_;
};

}  // namespace

MadeOperator MakeConversionOperator(Run& run, const Step& step, const Pipeline& pipeline) {
  const std::string& name = step.name;
  if (name == "asBool") {
    if (!step.args.empty()) return Fail(Code::kInvalidArgument, "asBool() takes no arguments");
    return std::make_unique<ConvertOperator>(run, step, pipeline, AsBoolean);
  }
  if (name == "asNumber") {
    std::string type;
    if (!step.args.empty()) {
      if (step.args.size() > 1 || !step.args.front().is_enum("GType"))
        return Fail(Code::kInvalidArgument, "asNumber() takes a type, such as GType.INT");
      type = step.args.front().AsEnum().name;
      if (!IsNumericType(type))
        return Fail(Code::kInvalidArgument,
                    "asNumber() requires a numeric type token, got " + type);
    }
    return std::make_unique<ConvertOperator>(
        run, step, pipeline, [type](const Value& value) { return AsNumber(value, type); });
  }
  if (name == "call") {
    // No service is registered, so the list of them is empty.
    const bool lists = step.args.empty() ||
                       (step.args.front().is_string() && step.args.front().AsString() == "--list");
    if (!lists)
      return Fail(Code::kInvalidArgument, "Unrecognized service: " + ToText(step.args.front()));
    return std::make_unique<NoServices>(run, step, pipeline);
  }
  if (name == "format") {
    if (step.args.size() != 1 || !step.args.front().is_string())
      return Fail(Code::kInvalidArgument, "format() takes a text, such as 'name: %{name}'");
    return std::make_unique<FormatOperator>(run, step, pipeline, step.args.front().AsString());
  }
  return nullptr;
}

}  // namespace orrery::gremlin
