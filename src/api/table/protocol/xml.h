// A small reader and writer of XML, for the documents of the service: elements with text or with
// elements in them. Attributes, comments, declarations and CDATA are read over or taken as text;
// there are no entities but the five of XML and numbers, so nothing expands.
//
// Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/table/protocol/error_response.h"

namespace orrery::table {

inline constexpr size_t kXmlBytesMax = size_t{256} << 10;
inline constexpr int kXmlDepthMax = 16;
inline constexpr size_t kXmlElementsMax = 4'096;

struct XmlElement {
  std::string name{};
  std::string text{};  // of the element itself, without blanks around it
  std::vector<XmlElement> children{};

  // The first of that name; null if there is none.
  const XmlElement* Find(std::string_view child) const;
  // Its text; nullopt if there is none.
  std::optional<std::string> TextOf(std::string_view child) const;
};

// InvalidXmlDocument for what is not one element, or beyond a limit.
Outcome<XmlElement> ReadXml(std::string_view text);

// With "<?xml ...?>" before it.
std::string XmlText(const XmlElement& element);
void AppendXmlEscaped(std::string& out, std::string_view text);

}  // namespace orrery::table
