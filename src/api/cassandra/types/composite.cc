#include "api/cassandra/types/composite.h"

#include <fmt/format.h>

#include "api/cassandra/types/compare.h"
#include "api/cassandra/types/invalid_value.h"
#include "api/cassandra/types/marshal_name.h"
#include "api/cassandra/types/validate.h"
#include "api/cassandra/types/value_text.h"
#include "base/bytes.h"
#include "base/utf8.h"

namespace orrery::cassandra {
namespace {

constexpr uint16_t kStaticMark = 0xFFFF;
constexpr uint16_t kAliasBit = 0x8000;
constexpr size_t kComponentBytesMax = 65'534;  // or the first one could look like the mark

Result<TypePtr> ReadComparator(const Type& type, ByteReader& reader, size_t component) {
  uint16_t header = 0;
  if (!reader.ReadBigEndian(header)) {
    return InvalidValue(fmt::format(
        "Not enough bytes to header of the comparator part of component {}", component));
  }
  if ((header & kAliasBit) != 0) {
    const size_t place = type.aliases().find(static_cast<char>(header & 0xFF));
    if (place != std::string::npos) return type.parameters()[place];
    return InvalidValue(fmt::format("Cannot find comparator for component {}", component));
  }
  std::string_view name;
  if (!reader.ReadBytes(header, name)) {
    return InvalidValue(
        fmt::format("Not enough bytes to read comparator name of component {}", component));
  }
  auto parsed = ParseMarshalName(name);
  const bool is_known = parsed.has_value() && ((*parsed)->kind() != TypeKind::kCustom ||
                                               (*parsed)->class_name() == kLexicalUuidClass);
  if (!is_known)
    return InvalidValue(fmt::format("Cannot find comparator for component {}", component));
  return *std::move(parsed);
}

Result<CompositePart> ReadPart(const Type& type, ByteReader& reader, size_t component) {
  CompositePart part;
  if (type.is_dynamic_composite()) {
    ORRERY_ASSIGN(part.type, ReadComparator(type, reader, component));
  } else {
    if (component >= type.parameters().size()) return InvalidValue("Too many bytes for comparator");
    part.type = type.parameters()[component];
  }
  uint16_t size = 0;
  if (!reader.ReadBigEndian(size))
    return InvalidValue(
        fmt::format("Not enough bytes to read value size of component {}", component));
  if (!reader.ReadBytes(size, part.value))
    return InvalidValue(fmt::format("Not enough bytes to read value of component {}", component));
  ORRERY_TRY(Validate(*part.type, part.value));
  if (!reader.ReadBigEndian(part.end)) {
    return InvalidValue(fmt::format(
        "Not enough bytes to read the end-of-component byte of component{}", component));
  }
  if (part.end != 0 && !reader.empty()) {
    return InvalidValue(
        fmt::format("Invalid bytes remaining after an end-of-component at component{}", component));
  }
  return part;
}

std::weak_ordering CompareParts(const CompositePart& a, const CompositePart& b) {
  if (a.type != b.type && *a.type != *b.type)
    return MarshalName(*a.type).compare(MarshalName(*b.type)) <=> 0;
  if (const auto order = Compare(*a.type, a.value, b.value); order != 0) return order;
  return a.end <=> b.end;
}

// Cassandra's way back: "\:" is a colon, and an exclamation mark at the end stands there only to
// part what is before it from the next colon.
std::string Unescape(std::string_view text) {
  std::string plain;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size() && text[i + 1] == ':') continue;
    plain += text[i];
  }
  if (plain.ends_with('!')) plain.pop_back();
  return plain;
}

std::vector<std::string_view> SplitAtColons(std::string_view text) {
  std::vector<std::string_view> parts;
  if (text.empty()) return parts;
  size_t begin = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != ':' || (i > 0 && text[i - 1] == '\\')) continue;
    parts.push_back(text.substr(begin, i - begin));
    begin = i + 1;
  }
  parts.push_back(text.substr(begin));
  return parts;
}

}  // namespace

Result<Composite> UnpackComposite(const Type& type, std::string_view bytes) {
  Composite composite;
  if (bytes.size() >= sizeof(kStaticMark) && LoadBigEndian<uint16_t>(bytes.data()) == kStaticMark) {
    composite.is_static = true;
    bytes.remove_prefix(sizeof(kStaticMark));
  }
  ByteReader reader(bytes);
  while (!reader.empty()) {
    ORRERY_ASSIGN(CompositePart part, ReadPart(type, reader, composite.parts.size()));
    composite.parts.push_back(std::move(part));
  }
  return composite;
}

std::string PackComposite(const Composite& composite) {
  std::string bytes;
  if (composite.is_static) AppendBigEndian(bytes, kStaticMark);
  for (const CompositePart& part : composite.parts) {
    AppendBigEndian(bytes, static_cast<uint16_t>(part.value.size()));
    bytes.append(part.value);
    bytes.push_back(static_cast<char>(part.end));
  }
  return bytes;
}

std::weak_ordering CompareComposites(const Type& type, std::string_view a, std::string_view b) {
  const auto x = UnpackComposite(type, a);
  const auto y = UnpackComposite(type, b);
  if (!x.has_value() || !y.has_value()) return a.compare(b) <=> 0;
  if (x->is_static != y->is_static) return y->is_static <=> x->is_static;
  for (size_t i = 0; i < x->parts.size() && i < y->parts.size(); ++i) {
    if (const auto order = CompareParts(x->parts[i], y->parts[i]); order != 0) return order;
  }
  return x->parts.size() <=> y->parts.size();
}

Result<std::string> ParseComposite(const Type& type, std::string_view text, int64_t now_ms) {
  std::vector<std::string> values;
  int8_t end = 0;
  for (const std::string_view part : SplitAtColons(text)) {
    if (part == "!" || part == "_") {
      end = part == "!" ? 1 : -1;
      break;
    }
    if (values.size() >= type.parameters().size())
      return InvalidValue("Too many bytes for comparator");
    ORRERY_ASSIGN(std::string value,
                  FromText(*type.parameters()[values.size()], Unescape(part), now_ms));
    if (value.size() > kComponentBytesMax) {
      return InvalidValue(fmt::format("a component has {} bytes, the most is {}", value.size(),
                                      kComponentBytesMax));
    }
    values.push_back(std::move(value));
  }
  Composite composite;
  for (const std::string& value : values) composite.parts.push_back({nullptr, value, 0});
  if (!composite.parts.empty()) composite.parts.back().end = end;
  return PackComposite(composite);
}

}  // namespace orrery::cassandra
