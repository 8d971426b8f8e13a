#include "cli/seed/text/yaml_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>

#include "base/utf8.h"

namespace orrery::cli {
namespace {

using YamlKind = YamlNode::Kind;

bool IsYamlNull(std::string_view text) {
  return text.empty() || text == "~" || text == "null" || text == "Null" || text == "NULL";
}

std::optional<model::Value> YamlNumber(std::string_view text) {
  const std::string_view digits = text.starts_with('+') ? text.substr(1) : text;
  const char* const end = digits.data() + digits.size();
  int64_t whole = 0;
  if (const auto [at, error] = std::from_chars(digits.data(), end, whole);
      error == std::errc() && at == end) {
    if (whole >= std::numeric_limits<int32_t>::min() &&
        whole <= std::numeric_limits<int32_t>::max())
      return model::Value::Int32(static_cast<int32_t>(whole));
    return model::Value::Int64(whole);
  }
  // from_chars takes "inf" and "nan", which are text here.
  if (digits.find_first_not_of("0123456789.eE+-") != std::string_view::npos) return std::nullopt;
  double number = 0;
  const auto [at, error] = std::from_chars(digits.data(), end, number);
  if (error != std::errc() || at != end) return std::nullopt;
  return model::Value::Double(number);
}

// One line, without its indentation and its comment.
struct YamlLine {
  size_t number = 0;
  size_t indent = 0;
  std::string_view text;  // not empty, no blanks at the end
  std::string_view raw;   // all of it, for block scalars
};

class YamlReader {
 public:
  explicit YamlReader(std::string_view text) { Cut(text); }

  Result<YamlNode> Read() {
    if (!refusal_.empty()) return Fail(Code::kInvalidArgument, refusal_);
    SkipBlank();
    if (at_ < lines_.size() && lines_[at_].text == "---") {
      ++at_;
      SkipBlank();
    }
    if (at_ == lines_.size()) return YamlNode{.is_plain = true};
    YamlNode node = Block(lines_[at_].indent, 0);
    SkipBlank();
    if (ok() && at_ < lines_.size() && lines_[at_].text != "...") {
      Refuse(lines_[at_].number, lines_[at_].text == "---" ? "a second document; one is all"
                                                           : "less or more indented than before");
    }
    if (!ok()) return Fail(Code::kInvalidArgument, refusal_);
    return node;
  }

 private:
  bool ok() const { return refusal_.empty(); }
  void Refuse(size_t line, std::string_view what) {
    if (ok()) refusal_ = fmt::format("line {}: {}", line, what);
  }

  void Cut(std::string_view text) {
    if (text.size() > kYamlBytesMax) return Refuse(1, "the file is too large");
    if (!IsUtf8(text)) return Refuse(1, "the file is not UTF-8");
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    for (size_t number = 1; !text.empty(); ++number) {
      const size_t end = std::min(text.find('\n'), text.size());
      std::string_view raw = text.substr(0, end);
      text.remove_prefix(std::min(end + 1, text.size()));
      if (raw.ends_with('\r')) raw.remove_suffix(1);
      const size_t indent = std::min(raw.find_first_not_of(' '), raw.size());
      std::string_view content = raw.substr(indent);
      while (!content.empty() && (content.back() == ' ' || content.back() == '\t'))
        content.remove_suffix(1);
      if (content.starts_with('#')) content = {};
      lines_.push_back({number, indent, content, raw});
    }
  }

  void SkipBlank() {
    while (at_ < lines_.size() && lines_[at_].text.empty()) ++at_;
  }

  // The node whose first line is the current one, indented by `indent`.
  YamlNode Block(size_t indent, int depth) {
    const YamlLine& line = lines_[at_];
    if (depth > kYamlDepthMax) {
      Refuse(line.number, "nested too deeply");
      return {};
    }
    if (line.text.starts_with('\t')) Refuse(line.number, "a tab as indentation; use spaces");
    if (line.text == "-" || line.text.starts_with("- ")) return Sequence(indent, depth);
    if (KeyEnd(line.text).has_value()) return Mapping(indent, depth);
    return Inline(indent, depth);
  }

  YamlNode Sequence(size_t indent, int depth) {
    YamlNode node{.kind = YamlKind::kSequence, .line = lines_[at_].number};
    while (ok() && at_ < lines_.size()) {
      YamlLine& line = lines_[at_];
      if (line.indent != indent || !(line.text == "-" || line.text.starts_with("- "))) break;
      std::string_view rest = line.text.substr(1);
      const size_t blanks = std::min(rest.find_first_not_of(' '), rest.size());
      rest.remove_prefix(blanks);
      if (rest.empty() || rest.starts_with('#')) {
        node.elements.push_back(Below(indent, depth, line.number, false));
      } else {
        // What follows the dash is a line of its own, indented as far as it stands.
        line.indent = indent + 1 + blanks;
        line.text = rest;
        node.elements.push_back(Block(line.indent, depth + 1));
      }
      SkipBlank();
    }
    // A key may follow at the same indentation: that of the mapping which the sequence is a value
    // in.
    if (ok() && at_ < lines_.size() && lines_[at_].indent > indent)
      Refuse(lines_[at_].number, "more indented than what it belongs to");
    return node;
  }

  YamlNode Mapping(size_t indent, int depth) {
    YamlNode node{.kind = YamlKind::kMapping, .line = lines_[at_].number};
    while (ok() && at_ < lines_.size() && lines_[at_].indent == indent) {
      const YamlLine line = lines_[at_];
      const auto end = KeyEnd(line.text);
      if (!end.has_value()) break;
      auto key = KeyText(line.text.substr(0, *end), line.number);
      if (node.Find(key) != nullptr)
        Refuse(line.number, fmt::format("'{}' is here for the second time", key));
      if (key == "<<") Refuse(line.number, "merge keys are not supported");
      std::string_view rest = line.text.substr(*end + 1);
      rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
      if (rest.starts_with('#')) rest = {};
      if (rest.empty()) {
        node.fields.emplace_back(std::move(key), Below(indent, depth, line.number, true));
      } else if (rest.starts_with('|') || rest.starts_with('>')) {
        node.fields.emplace_back(std::move(key), BlockScalar(indent, rest));
      } else {
        lines_[at_].text = rest;
        YamlNode value = Inline(indent + 1, depth + 1);
        node.fields.emplace_back(std::move(key), std::move(value));
      }
      SkipBlank();
    }
    CheckIndent(indent);
    return node;
  }

  void CheckIndent(size_t indent) {
    if (at_ < lines_.size() && lines_[at_].indent > indent && !lines_[at_].text.empty())
      Refuse(lines_[at_].number, "more indented than what it belongs to");
    if (at_ < lines_.size() && lines_[at_].indent == indent && !lines_[at_].text.empty() &&
        lines_[at_].text != "---" && lines_[at_].text != "...")
      Refuse(lines_[at_].number,
             "neither 'key: value' nor '- element', as the lines before it are");
  }

  // The value on the lines below a key or dash at `indent`; null when there are none. A sequence
  // below a key may be indented as far as the key is.
  YamlNode Below(size_t indent, int depth, size_t number, bool is_key) {
    ++at_;
    SkipBlank();
    const bool is_there =
        at_ < lines_.size() && (lines_[at_].indent > indent ||
                                (is_key && lines_[at_].indent == indent &&
                                 (lines_[at_].text == "-" || lines_[at_].text.starts_with("- "))));
    if (!is_there) return {.line = number, .is_plain = true};
    return Block(lines_[at_].indent, depth + 1);
  }

  // | and >, with their indicators. The current line is the one of its key.
  YamlNode BlockScalar(size_t indent, std::string_view header) {
    YamlNode node{.line = lines_[at_].number};
    const bool folds = header.front() == '>';
    char chomp = ' ';
    for (const char c : header.substr(1, header.find_first_of(" #") - 1)) {
      if (c != '-' && c != '+') Refuse(node.line, "unknown header of a block scalar");
      chomp = c;
    }
    ++at_;
    size_t inner = 0;
    std::vector<std::string_view> kept;
    for (; at_ < lines_.size(); ++at_) {
      const std::string_view raw = lines_[at_].raw;
      const size_t own = std::min(raw.find_first_not_of(' '), raw.size());
      const bool is_blank = own == raw.size();
      if (!is_blank && own <= indent) break;
      if (!is_blank && inner == 0) inner = own;
      if (!is_blank && own < inner) {
        Refuse(lines_[at_].number, "less indented than the text that it is a part of");
        return node;
      }
      kept.push_back(is_blank ? std::string_view() : raw.substr(inner));
    }
    size_t last = kept.size();
    while (last > 0 && kept[last - 1].empty()) --last;
    for (size_t i = 0; i < last; ++i) {
      node.text += kept[i];
      const bool joins = folds && i + 1 < last && !kept[i].empty() && !kept[i + 1].empty() &&
                         !kept[i].starts_with(' ') && !kept[i + 1].starts_with(' ');
      if (i + 1 < last) node.text += joins ? ' ' : '\n';
    }
    if (last > 0 && chomp != '-') node.text += '\n';
    if (chomp == '+') node.text.append(kept.size() - last, '\n');
    return node;
  }

  // A flow collection or scalar, which may go on over lines that are indented by `indent` or more.
  YamlNode Inline(size_t indent, int depth) {
    flow_line_ = at_;
    flow_ = lines_[at_].text;
    flow_indent_ = indent;
    YamlNode node = Flow(depth, false);
    SkipFlowBlank();
    if (ok() && !flow_.empty() && !flow_.starts_with('#'))
      Refuse(lines_[flow_line_].number,
             fmt::format("'{}' is not expected here", flow_.substr(0, 20)));
    at_ = flow_line_ + 1;
    return node;
  }

  void SkipFlowBlank() {
    flow_.remove_prefix(std::min(flow_.find_first_not_of(" \t"), flow_.size()));
  }
  // Goes to the next line inside of a flow collection or quoted text. False: there is none.
  bool NextFlowLine() {
    size_t next = flow_line_ + 1;
    while (next < lines_.size() && lines_[next].text.empty()) ++next;
    if (next == lines_.size() ||
        lines_[next].indent < flow_indent_ - std::min<size_t>(flow_indent_, 1))
      return false;
    flow_line_ = next;
    flow_ = lines_[next].text;
    return true;
  }
  // To the next character of a flow collection, over lines and comments.
  bool FlowReady() {
    SkipFlowBlank();
    while (flow_.empty() || flow_.starts_with('#')) {
      if (!NextFlowLine()) {
        Refuse(lines_[flow_line_].number, "a [ or { without its end");
        return false;
      }
      SkipFlowBlank();
    }
    return true;
  }

  YamlNode Flow(int depth, bool inside) {
    YamlNode node{.line = lines_[flow_line_].number};
    if (depth > kYamlDepthMax) Refuse(node.line, "nested too deeply");
    if (!ok() || flow_.empty()) return node;
    const char first = flow_.front();
    if (first == '[' || first == '{') return FlowCollection(depth);
    if (first == '"') {
      node.text = DoubleQuoted();
      return node;
    }
    if (first == '\'') {
      node.text = SingleQuoted();
      return node;
    }
    if (first == '&' || first == '*' || first == '!' || first == '@' || first == '`' ||
        first == '%') {
      Refuse(node.line, fmt::format("'{}' begins an anchor, an alias, a tag or something else that "
                                    "is not supported; put text into quotes",
                                    first));
      return node;
    }
    node.is_plain = true;
    node.text = Plain(inside);
    return node;
  }

  YamlNode FlowCollection(int depth) {
    const bool is_mapping = flow_.front() == '{';
    YamlNode node{.kind = is_mapping ? YamlKind::kMapping : YamlKind::kSequence,
                  .line = lines_[flow_line_].number};
    flow_.remove_prefix(1);
    const char end = is_mapping ? '}' : ']';
    while (ok() && FlowReady()) {
      if (flow_.front() == end) {
        flow_.remove_prefix(1);
        return node;
      }
      const size_t line = lines_[flow_line_].number;
      YamlNode element = Flow(depth + 1, true);
      if (!ok() || !FlowReady()) break;
      if (is_mapping) {
        if (element.kind != YamlKind::kScalar) Refuse(line, "a key must be text");
        if (node.Find(element.text) != nullptr)
          Refuse(line, fmt::format("'{}' is here for the second time", element.text));
        YamlNode value{.line = line, .is_plain = true};
        if (flow_.front() == ':') {
          flow_.remove_prefix(1);
          if (!FlowReady()) break;
          if (flow_.front() != ',' && flow_.front() != end) value = Flow(depth + 1, true);
          if (!ok() || !FlowReady()) break;
        }
        node.fields.emplace_back(std::move(element.text), std::move(value));
      } else {
        node.elements.push_back(std::move(element));
      }
      if (flow_.front() == ',') {
        flow_.remove_prefix(1);
      } else if (flow_.front() != end) {
        Refuse(lines_[flow_line_].number,
               fmt::format("'{}' where , or {} is expected", flow_.front(), end));
      }
    }
    return node;
  }

  std::string Plain(bool inside) {
    size_t end = 0;
    while (end < flow_.size()) {
      const char c = flow_[end];
      const bool is_last = end + 1 == flow_.size();
      if (c == '#' && end > 0 && flow_[end - 1] == ' ') break;
      if (c == ':' && (is_last || flow_[end + 1] == ' ' || (inside && flow_[end + 1] == ','))) {
        if (inside) break;
        Refuse(lines_[flow_line_].number, "a ': ' inside of text; put the text into quotes");
        return {};
      }
      if (inside && (c == ',' || c == ']' || c == '}' || c == '[' || c == '{')) break;
      ++end;
    }
    std::string_view text = flow_.substr(0, end);
    flow_.remove_prefix(end);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
    return std::string(text);
  }

  std::string SingleQuoted() {
    std::string text;
    const size_t first = lines_[flow_line_].number;
    flow_.remove_prefix(1);
    for (;;) {
      if (flow_.empty()) {
        if (!NextFlowLine()) {
          Refuse(first, "a text without its closing '");
          return text;
        }
        text += ' ';
        continue;
      }
      const char c = flow_.front();
      flow_.remove_prefix(1);
      if (c != '\'') {
        text += c;
      } else if (flow_.starts_with('\'')) {
        text += '\'';
        flow_.remove_prefix(1);
      } else {
        return text;
      }
    }
  }

  std::string DoubleQuoted() {
    std::string text;
    const size_t first = lines_[flow_line_].number;
    flow_.remove_prefix(1);
    for (;;) {
      if (flow_.empty()) {
        if (!NextFlowLine()) {
          Refuse(first, "a text without its closing \"");
          return text;
        }
        text += ' ';
        continue;
      }
      const char c = flow_.front();
      flow_.remove_prefix(1);
      if (c == '"') return text;
      if (c != '\\') {
        text += c;
      } else if (!Escape(text)) {
        return text;
      }
    }
  }

  // Reads what follows a backslash.
  bool Escape(std::string& text) {
    constexpr std::string_view kNames = "0abtnvfre\"/\\ ";
    constexpr std::string_view kValues("\0\a\b\t\n\v\f\r\x1b\"/\\ ", 13);
    if (flow_.empty()) return true;  // joins the next line
    const char c = flow_.front();
    flow_.remove_prefix(1);
    if (const size_t at = kNames.find(c); at != std::string_view::npos) {
      text += kValues[at];
      return true;
    }
    const size_t digits = c == 'x' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : 0;
    uint32_t code = 0;
    const auto read = [&]() -> bool {
      if (digits == 0 || flow_.size() < digits) return false;
      const auto [at, error] = std::from_chars(flow_.data(), flow_.data() + digits, code, 16);
      if (error != std::errc() || at != flow_.data() + digits) return false;
      flow_.remove_prefix(digits);
      return true;
    };
    bool is_valid = read();
    if (is_valid && code >= 0xD800 && code < 0xDC00 && flow_.starts_with("\\u")) {
      const uint32_t high = code;
      flow_.remove_prefix(2);
      is_valid = read() && code >= 0xDC00 && code < 0xE000;
      code = 0x10000 + ((high - 0xD800) << 10) + (code - 0xDC00);
    }
    if (!is_valid || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) {
      Refuse(lines_[flow_line_].number, "an escape that is not valid");
      return false;
    }
    AppendCodePoint(text, code);
    return true;
  }

  static void AppendCodePoint(std::string& text, uint32_t code) {
    const auto tail = [&](int shift) {
      text += static_cast<char>(0x80 | ((code >> shift) & 0x3F));
    };
    if (code < 0x80) {
      text += static_cast<char>(code);
    } else if (code < 0x800) {
      text += static_cast<char>(0xC0 | (code >> 6));
      tail(0);
    } else if (code < 0x10000) {
      text += static_cast<char>(0xE0 | (code >> 12));
      tail(6);
      tail(0);
    } else {
      text += static_cast<char>(0xF0 | (code >> 18));
      tail(12);
      tail(6);
      tail(0);
    }
  }

  // Returns the place of the ':' that ends a block mapping's key.
  static std::optional<size_t> KeyEnd(std::string_view text) {
    if (text.starts_with('[') || text.starts_with('{')) return std::nullopt;
    if (text.starts_with('"') || text.starts_with('\'')) {
      const char quote = text.front();
      size_t at = 1;
      while (at < text.size() && text[at] != quote) at += quote == '"' && text[at] == '\\' ? 2 : 1;
      const size_t end =
          std::min(text.find_first_not_of(' ', std::min(at + 1, text.size())), text.size());
      if (end < text.size() && text[end] == ':' && (end + 1 == text.size() || text[end + 1] == ' '))
        return end;
      return std::nullopt;
    }
    for (size_t at = 0; at < text.size(); ++at) {
      if (text[at] == '#' && at > 0 && text[at - 1] == ' ') return std::nullopt;
      if (text[at] == ':' && (at + 1 == text.size() || text[at + 1] == ' ')) return at;
    }
    return std::nullopt;
  }

  std::string KeyText(std::string_view text, size_t number) {
    while (text.ends_with(' ')) text.remove_suffix(1);
    if (text.starts_with('?') && (text.size() == 1 || text[1] == ' '))
      Refuse(number, "complex keys are not supported");
    if (text.starts_with('&') || text.starts_with('*') || text.starts_with('!'))
      Refuse(number, "anchors, aliases and tags are not supported");
    if (!text.starts_with('"') && !text.starts_with('\'')) return std::string(text);
    flow_line_ = at_;
    flow_ = text;
    return text.starts_with('"') ? DoubleQuoted() : SingleQuoted();
  }

  std::vector<YamlLine> lines_;
  size_t at_ = 0;
  std::string refusal_;
  // Inside of a flow node.
  size_t flow_line_ = 0;
  std::string_view flow_;
  size_t flow_indent_ = 0;
};

}  // namespace

bool YamlNode::is_null() const { return kind == Kind::kScalar && is_plain && IsYamlNull(text); }

const YamlNode* YamlNode::Find(std::string_view key) const {
  for (const auto& [name, value] : fields)
    if (name == key) return &value;
  return nullptr;
}

model::Value YamlNode::ToValue() const {
  if (kind == Kind::kSequence) {
    model::Values values;
    for (const YamlNode& element : elements) values.push_back(element.ToValue());
    return model::Value::Array(std::move(values));
  }
  if (kind == Kind::kMapping) {
    model::Fields values;
    for (const auto& [name, value] : fields) values.push_back({name, value.ToValue()});
    return model::Value::Object(std::move(values));
  }
  if (!is_plain) return model::Value::String(text);
  if (is_null()) return model::Value::Null();
  if (text == "true" || text == "True" || text == "TRUE") return model::Value::Bool(true);
  if (text == "false" || text == "False" || text == "FALSE") return model::Value::Bool(false);
  if (auto number = YamlNumber(text)) return *std::move(number);
  return model::Value::String(text);
}

Result<YamlNode> ReadYaml(std::string_view text) { return YamlReader(text).Read(); }

}  // namespace orrery::cli
