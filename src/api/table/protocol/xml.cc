#include "api/table/protocol/xml.h"

#include <algorithm>
#include <charconv>
#include <cstdint>

#include "api/table/protocol/header_text.h"
#include "base/utf8.h"

namespace orrery::table {
namespace {

constexpr std::string_view kDeclaration = R"(<?xml version="1.0" encoding="utf-8"?>)";
constexpr std::string_view kBlanks = " \t\r\n";

std::unexpected<ErrorResponse> BadXml(std::string_view what) {
  return Refuse(ErrorCode::kInvalidXmlDocument,
                "The specified XML is not syntactically valid: " + std::string(what) + ".");
}

bool IsNameCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-' || c == '.' || c == ':' || static_cast<unsigned char>(c) >= 0x80;
}

void AppendUtf8(std::string& out, uint32_t code) {
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xc0 | (code >> 6));
    out += static_cast<char>(0x80 | (code & 0x3f));
  } else if (code < 0x10000) {
    out += static_cast<char>(0xe0 | (code >> 12));
    out += static_cast<char>(0x80 | ((code >> 6) & 0x3f));
    out += static_cast<char>(0x80 | (code & 0x3f));
  } else {
    out += static_cast<char>(0xf0 | (code >> 18));
    out += static_cast<char>(0x80 | ((code >> 12) & 0x3f));
    out += static_cast<char>(0x80 | ((code >> 6) & 0x3f));
    out += static_cast<char>(0x80 | (code & 0x3f));
  }
}

bool AppendEntity(std::string& out, std::string_view name) {
  struct Named {
    std::string_view name;
    char character;
  };
  constexpr Named kNamed[] = {
      {"lt", '<'}, {"gt", '>'}, {"amp", '&'}, {"quot", '"'}, {"apos", '\''}};
  for (const Named& each : kNamed) {
    if (each.name != name) continue;
    out += each.character;
    return true;
  }
  if (!name.starts_with('#')) return false;
  const bool is_hex = name.starts_with("#x");
  const std::string_view digits = name.substr(is_hex ? 2 : 1);
  uint32_t code = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), code, is_hex ? 16 : 10);
  const bool is_surrogate = code >= 0xd800 && code < 0xe000;
  if (error != std::errc() || end != digits.data() + digits.size() || code == 0 ||
      code > 0x10ffff || is_surrogate)
    return false;
  AppendUtf8(out, code);
  return true;
}

class XmlReader {
 public:
  explicit XmlReader(std::string_view text) : rest_(text) {
    constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
    if (rest_.starts_with(kByteOrderMark)) rest_.remove_prefix(kByteOrderMark.size());
  }

  Outcome<XmlElement> Read() {
    TABLE_TRY(SkipMisc());
    if (!rest_.starts_with('<')) return BadXml("it has no element");
    TABLE_ASSIGN(XmlElement root, Element(1));
    TABLE_TRY(SkipMisc());
    if (!rest_.empty()) return BadXml("something follows the element");
    return root;
  }

 private:
  // Over blanks, declarations, comments and processing instructions.
  Outcome<void> SkipMisc() {
    while (true) {
      const size_t begin = rest_.find_first_not_of(kBlanks);
      rest_.remove_prefix(std::min(begin, rest_.size()));
      if (rest_.starts_with("<!--")) {
        TABLE_TRY(SkipPast("-->"));
      } else if (rest_.starts_with("<?")) {
        TABLE_TRY(SkipPast("?>"));
      } else if (rest_.starts_with("<!")) {
        return BadXml("it has a document type, which is not allowed");
      } else {
        return {};
      }
    }
  }

  Outcome<void> SkipPast(std::string_view mark) {
    const size_t at = rest_.find(mark);
    if (at == std::string_view::npos) return BadXml("it ends too early");
    rest_.remove_prefix(at + mark.size());
    return {};
  }

  // REQUIRES: at '<'.
  Outcome<XmlElement> Element(int depth) {
    if (depth > kXmlDepthMax || ++count_ > kXmlElementsMax) return BadXml("it is too large");
    rest_.remove_prefix(1);
    XmlElement element{.name = TakeName()};
    if (element.name.empty()) return BadXml("an element has no name");
    TABLE_ASSIGN(const bool is_empty, SkipAttributes());
    if (is_empty) return element;
    TABLE_TRY(Content(element, depth));
    return element;
  }

  std::string TakeName() {
    size_t size = 0;
    while (size < rest_.size() && IsNameCharacter(rest_[size])) ++size;
    std::string name(rest_.substr(0, size));
    rest_.remove_prefix(size);
    return name;
  }

  // To the end of the tag; whether it has no content.
  Outcome<bool> SkipAttributes() {
    while (!rest_.empty()) {
      const char c = rest_.front();
      if (c == '>') {
        rest_.remove_prefix(1);
        return false;
      }
      if (rest_.starts_with("/>")) {
        rest_.remove_prefix(2);
        return true;
      }
      rest_.remove_prefix(1);
      if (c == '"' || c == '\'') TABLE_TRY(SkipPast(std::string_view(&c, 1)));
      if (c == '<') break;
    }
    return BadXml("a tag has no end");
  }

  Outcome<void> Content(XmlElement& element, int depth) {
    std::string text;
    while (!rest_.empty()) {
      if (rest_.starts_with("</")) {
        rest_.remove_prefix(2);
        if (TakeName() != element.name) return BadXml("tags do not match");
        rest_.remove_prefix(std::min(rest_.find_first_not_of(kBlanks), rest_.size()));
        if (!rest_.starts_with('>')) return BadXml("a tag has no end");
        rest_.remove_prefix(1);
        element.text = Trimmed(text);
        return {};
      }
      if (rest_.starts_with("<!--")) {
        TABLE_TRY(SkipPast("-->"));
      } else if (rest_.starts_with("<![CDATA[")) {
        rest_.remove_prefix(9);
        const size_t end = rest_.find("]]>");
        if (end == std::string_view::npos) return BadXml("it ends too early");
        text += rest_.substr(0, end);
        rest_.remove_prefix(end + 3);
      } else if (rest_.starts_with('<')) {
        TABLE_ASSIGN(XmlElement child, Element(depth + 1));
        element.children.push_back(std::move(child));
      } else {
        TABLE_TRY(Text(text));
      }
    }
    return BadXml("an element has no end");
  }

  Outcome<void> Text(std::string& text) {
    if (rest_.front() != '&') {
      const size_t size = std::min(rest_.find_first_of("<&"), rest_.size());
      text += rest_.substr(0, size);
      rest_.remove_prefix(size);
      return {};
    }
    const size_t end = rest_.find(';');
    if (end == std::string_view::npos || !AppendEntity(text, rest_.substr(1, end - 1)))
      return BadXml("an entity is not known");
    rest_.remove_prefix(end + 1);
    return {};
  }

  std::string_view rest_;
  size_t count_ = 0;
};

void AppendElement(std::string& out, const XmlElement& element) {
  out += '<';
  out += element.name;
  if (element.text.empty() && element.children.empty()) {
    out += " />";
    return;
  }
  out += '>';
  AppendXmlEscaped(out, element.text);
  for (const XmlElement& child : element.children) AppendElement(out, child);
  out += "</";
  out += element.name;
  out += '>';
}

}  // namespace

const XmlElement* XmlElement::Find(std::string_view child) const {
  for (const XmlElement& each : children)
    if (each.name == child) return &each;
  return nullptr;
}

std::optional<std::string> XmlElement::TextOf(std::string_view child) const {
  const XmlElement* found = Find(child);
  if (found == nullptr) return std::nullopt;
  return found->text;
}

Outcome<XmlElement> ReadXml(std::string_view text) {
  if (text.size() > kXmlBytesMax) return BadXml("it is too large");
  if (!IsUtf8(text)) return BadXml("it is not UTF-8");
  return XmlReader(text).Read();
}

std::string XmlText(const XmlElement& element) {
  std::string out(kDeclaration);
  AppendElement(out, element);
  return out;
}

void AppendXmlEscaped(std::string& out, std::string_view text) {
  for (const char c : text) {
    if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else if (c == '&') {
      out += "&amp;";
    } else {
      out += c;
    }
  }
}

}  // namespace orrery::table
