#include "api/gremlin/value/text.h"

#include <charconv>
#include <chrono>
#include <cmath>
#include <string>

#include "api/gremlin/value/bytecode.h"
#include "api/gremlin/value/element.h"
#include "model/value_text.h"

namespace orrery::gremlin {
namespace {

template <typename Items, typename Write>
std::string Joined(const Items& items, char open, char close, Write write) {
  std::string text(1, open);
  bool first = true;
  for (const auto& item : items) {
    if (!first) text += ", ";
    first = false;
    text += write(item);
  }
  text += close;
  return text;
}

std::string TreeText(const Tree& tree) {
  return Joined(tree.branches, '{', '}', [](const Tree::Branch& branch) {
    return ToText(branch.key) + "=" + TreeText(branch.children);
  });
}

std::string PredicateText(const Predicate& predicate) {
  if (!predicate.parts.empty()) {
    return std::string(ComparisonName(predicate.comparison)) +
           Joined(predicate.parts, '(', ')', [](const auto& part) { return PredicateText(*part); });
  }
  return std::string(ComparisonName(predicate.comparison)) +
         Joined(predicate.values, '(', ')', ToText);
}

std::string TraversalText(const Bytecode& traversal) {
  return Joined(traversal.steps, '[', ']', [](const Instruction& step) {
    return step.name + Joined(step.args, '(', ')', ToText);
  });
}

// Reads exactly `digits` digits.
std::optional<int> TakeDigits(std::string_view& text, size_t digits) {
  if (text.size() < digits) return std::nullopt;
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + digits, value);
  if (error != std::errc() || end != text.data() + digits || value < 0) return std::nullopt;
  text.remove_prefix(digits);
  return value;
}

bool TakeChar(std::string_view& text, char c) {
  if (!text.starts_with(c)) return false;
  text.remove_prefix(1);
  return true;
}

// hh:mm[:ss[.fraction]]
std::optional<int64_t> TakeTime(std::string_view& text) {
  const auto hour = TakeDigits(text, 2);
  if (!hour.has_value() || *hour > 23 || !TakeChar(text, ':')) return std::nullopt;
  const auto minute = TakeDigits(text, 2);
  if (!minute.has_value() || *minute > 59) return std::nullopt;
  int64_t ms = (*hour * 60LL + *minute) * 60'000;
  if (!TakeChar(text, ':')) return ms;
  const auto second = TakeDigits(text, 2);
  if (!second.has_value() || *second > 59) return std::nullopt;
  ms += *second * 1'000LL;
  if (!TakeChar(text, '.')) return ms;
  int64_t scale = 100;
  bool any = false;
  while (!text.empty() && text.front() >= '0' && text.front() <= '9') {
    ms += (text.front() - '0') * scale;
    scale /= 10;
    any = true;
    text.remove_prefix(1);
  }
  if (!any) return std::nullopt;
  return ms;
}

// Z, +hh:mm, +hhmm, +hh; minutes east of Greenwich.
std::optional<int> TakeOffset(std::string_view& text) {
  if (text.empty() || TakeChar(text, 'Z')) return 0;
  const bool west = text.starts_with('-');
  if (!west && !text.starts_with('+')) return std::nullopt;
  text.remove_prefix(1);
  const auto hours = TakeDigits(text, 2);
  if (!hours.has_value() || *hours > 18) return std::nullopt;
  int minutes = 0;
  if (!text.empty()) {
    TakeChar(text, ':');
    const auto rest = TakeDigits(text, 2);
    if (!rest.has_value() || *rest > 59) return std::nullopt;
    minutes = *rest;
  }
  const int offset = *hours * 60 + minutes;
  return west ? -offset : offset;
}

}  // namespace

namespace {

// The digits of a number as Java writes them: 1.0E7 and beyond, and below 0.001, with an exponent;
// always with a point.
std::string JavaText(const std::string& shortest, double magnitude) {
  const bool negative = shortest.starts_with('-');
  std::string digits;
  int point = 0;
  int exponent = 0;
  bool has_point = false;
  for (size_t i = negative ? 1 : 0; i < shortest.size(); ++i) {
    const char c = shortest[i];
    if (c == 'e' || c == 'E') {
      std::from_chars(shortest.data() + i + (shortest[i + 1] == '+' ? 2 : 1),
                      shortest.data() + shortest.size(), exponent);
      break;
    }
    if (c == '.') {
      has_point = true;
      continue;
    }
    digits += c;
    if (!has_point) ++point;
  }
  point += exponent;  // where the point stands in the digits
  while (digits.size() > 1 && digits.front() == '0') {
    digits.erase(digits.begin());
    --point;
  }
  while (digits.size() > 1 && digits.back() == '0') digits.pop_back();
  std::string text = negative ? "-" : "";
  if (magnitude == 0) return text + "0.0";
  constexpr double kLeast = 1e-3;
  constexpr double kMost = 1e7;
  if (magnitude < kLeast || magnitude >= kMost) {
    text += digits.substr(0, 1) + "." + (digits.size() > 1 ? digits.substr(1) : "0");
    return text + "E" + std::to_string(point - 1);
  }
  if (point <= 0) return text + "0." + std::string(static_cast<size_t>(-point), '0') + digits;
  if (digits.size() <= static_cast<size_t>(point)) {
    return text + digits + std::string(static_cast<size_t>(point) - digits.size(), '0') + ".0";
  }
  return text + digits.substr(0, static_cast<size_t>(point)) + "." +
         digits.substr(static_cast<size_t>(point));
}

}  // namespace

std::string DoubleText(double number) {
  if (std::isnan(number)) return "NaN";
  if (std::isinf(number)) return number > 0 ? "Infinity" : "-Infinity";
  return JavaText(model::FormatDouble(number), std::fabs(number));
}

std::string UuidText(const UuidBytes& uuid) { return model::FormatUuid(uuid); }

std::optional<UuidBytes> ParseUuid(std::string_view text) {
  if (text.size() != 36) return std::nullopt;
  UuidBytes bytes{};
  size_t at = 0;
  for (size_t i = 0; i < text.size();) {
    if (i == 8 || i == 13 || i == 18 || i == 23) {
      if (text[i] != '-') return std::nullopt;
      ++i;
      continue;
    }
    const auto [end, error] = std::from_chars(text.data() + i, text.data() + i + 2, bytes[at], 16);
    if (error != std::errc() || end != text.data() + i + 2) return std::nullopt;
    ++at;
    i += 2;
  }
  return bytes;
}

std::optional<int64_t> ParseDate(std::string_view text) {
  const auto year = TakeDigits(text, 4);
  if (!year.has_value() || !TakeChar(text, '-')) return std::nullopt;
  const auto month = TakeDigits(text, 2);
  if (!month.has_value()) return std::nullopt;
  int day = 1;
  if (TakeChar(text, '-')) {
    const auto given = TakeDigits(text, 2);
    if (!given.has_value()) return std::nullopt;
    day = *given;
  }
  const std::chrono::year_month_day date{std::chrono::year(*year), std::chrono::month(*month),
                                         std::chrono::day(day)};
  if (!date.ok()) return std::nullopt;
  int64_t ms = std::chrono::sys_days(date).time_since_epoch().count() * 86'400'000LL;
  if (TakeChar(text, 'T') || TakeChar(text, ' ')) {
    const auto time = TakeTime(text);
    if (!time.has_value()) return std::nullopt;
    ms += *time;
    const auto offset = TakeOffset(text);
    if (!offset.has_value()) return std::nullopt;
    ms -= *offset * 60'000LL;
  }
  if (!text.empty()) return std::nullopt;
  return ms;
}

std::string DateText(int64_t unix_ms) {
  std::string text = model::FormatDateTime(unix_ms);
  // Java leaves out a fraction that is zero.
  if (text.ends_with(".000Z")) text.replace(text.size() - 5, 5, "Z");
  return text;
}

std::string ToText(const Value& value) {
  switch (value.type()) {
    case Type::kNull:
      return "null";
    case Type::kBool:
      return value.AsBool() ? "true" : "false";
    case Type::kByte:
    case Type::kShort:
    case Type::kInt:
    case Type::kLong:
      return std::to_string(value.AsInteger());
    case Type::kFloat: {
      const double number = value.AsFloating();
      if (!std::isfinite(number)) return DoubleText(number);
      return JavaText(model::FormatFloat(static_cast<float>(number)), std::fabs(number));
    }
    case Type::kDouble:
      return DoubleText(value.AsFloating());
    case Type::kBigInteger:
    case Type::kBigDecimal:
      return model::ToText(value.AsBig());
    case Type::kString:
      return value.AsString();
    case Type::kUuid:
      return UuidText(value.AsUuid());
    case Type::kDate:
      return DateText(value.AsInteger());
    case Type::kDuration:
      return "PT" + DoubleText(static_cast<double>(value.AsInteger()) / 1'000) + "S";
    case Type::kBinary:
      return "java.nio.HeapByteBuffer[" + std::to_string(value.AsString().size()) + "]";
    case Type::kList:
    case Type::kSet:
    case Type::kBulkSet:
      return Joined(value.AsItems(), '[', ']', ToText);
    case Type::kMap:
    case Type::kMetrics:
      return Joined(value.AsMap().entries(), '{', '}', [](const ValueMap::Entry& entry) {
        return ToText(entry.key) + "=" + ToText(entry.value);
      });
    case Type::kVertex:
      return "v[" + ToText(value.AsVertex()->id) + "]";
    case Type::kEdge: {
      const Edge& edge = *value.AsEdge();
      return "e[" + ToText(edge.id) + "][" + ToText(edge.out.id) + "-" + edge.label + "->" +
             ToText(edge.in.id) + "]";
    }
    case Type::kVertexProperty:
      return "vp[" + value.AsVertexProperty().property.key + "->" +
             ToText(value.AsVertexProperty().property.value) + "]";
    case Type::kProperty:
      return "p[" + ToText(value.AsProperty().key) + "->" + ToText(value.AsProperty().value) + "]";
    case Type::kPath:
      return "path" + Joined(value.AsPath().objects, '[', ']', ToText);
    case Type::kTree:
      return TreeText(value.AsTree());
    case Type::kGraph:
      return "graph[vertices:" + std::to_string(value.AsGraph().vertices.size()) +
             " edges:" + std::to_string(value.AsGraph().edges.size()) + "]";
    case Type::kEnum:
      return value.AsEnum().name;
    case Type::kPredicate:
      return PredicateText(value.AsPredicate());
    case Type::kTraversal:
      return TraversalText(value.AsTraversal());
    case Type::kStrategy:
      return value.AsStrategy().name;
    case Type::kCardinality:
      return value.AsCardinality().cardinality + "(" + ToText(value.AsCardinality().value) + ")";
  }
  return {};
}

}  // namespace orrery::gremlin
