#include "api/cassandra/types/collection_codec.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/cassandra/types/native/vint.h"
#include "base/bytes.h"
#include "base/check.h"

namespace orrery::cassandra {
namespace {

// A count from the wire is believed only this far before the elements are there.
constexpr size_t kReserveMax = 256;

std::unexpected<Error> TooShort(std::string_view what) {
  return Fail(Code::kInvalidArgument, fmt::format("Not enough bytes to read a {}", what));
}

std::unexpected<Error> NullInside() {
  return Fail(Code::kInvalidArgument, "Null value read when not allowed");
}

// Reads elements of a list, set or map one by one.
class ElementReader {
 public:
  ElementReader(std::string_view what, std::string_view bytes) : what_(what), reader_(bytes) {}

  Result<int32_t> ReadCount() {
    int32_t count = 0;
    if (!reader_.ReadBigEndian(count)) return TooShort(what_);
    if (count < 0) {
      return Fail(Code::kInvalidArgument,
                  fmt::format("The data cannot be deserialized as a {}", what_));
    }
    // Each has at least its size.
    if (static_cast<size_t>(count) > reader_.rest().size() / 4) return TooShort(what_);
    return count;
  }

  Result<NullableView> ReadNullable() {
    int32_t size = 0;
    if (!reader_.ReadBigEndian(size)) return TooShort(what_);
    if (size < 0) return NullableView();
    std::string_view bytes;
    if (!reader_.ReadBytes(static_cast<size_t>(size), bytes)) return TooShort(what_);
    return NullableView(bytes);
  }

  Result<std::string_view> Read() {
    ORRERY_ASSIGN(const NullableView element, ReadNullable());
    if (!element.has_value()) return NullInside();
    return *element;
  }

  Status Finish() const {
    if (reader_.empty()) return {};
    return Fail(Code::kInvalidArgument,
                fmt::format("Unexpected extraneous bytes after {} value", what_));
  }

 private:
  const std::string_view what_;
  ByteReader reader_;
};

void AppendElement(std::string& out, std::string_view bytes) {
  AppendBigEndian(out, static_cast<int32_t>(bytes.size()));
  out.append(bytes);
}

std::unexpected<Error> BadComponent(const Type& type, size_t index, std::string_view what) {
  if (type.kind() == TypeKind::kUdt) {
    return Fail(Code::kInvalidArgument, fmt::format("Not enough bytes to read {}{}th field {}",
                                                    what, index, type.udt().field_names[index]));
  }
  return Fail(Code::kInvalidArgument,
              fmt::format("Not enough bytes to read {}{}th component", what, index));
}

}  // namespace

Result<Views> UnpackElements(const Type& type, std::string_view bytes) {
  const bool is_set = type.kind() == TypeKind::kSet;
  Views elements;
  if (is_set && bytes.empty()) return elements;
  ElementReader reader(is_set ? "set" : "list", bytes);
  ORRERY_ASSIGN(const int32_t count, reader.ReadCount());
  elements.reserve(std::min<size_t>(static_cast<size_t>(count), kReserveMax));
  for (int32_t i = 0; i < count; ++i) {
    ORRERY_ASSIGN(const std::string_view element, reader.Read());
    elements.push_back(element);
  }
  ORRERY_TRY(reader.Finish());
  return elements;
}

Result<std::vector<NullableView>> UnpackNullableList(std::string_view bytes) {
  ElementReader reader("list", bytes);
  ORRERY_ASSIGN(const int32_t count, reader.ReadCount());
  std::vector<NullableView> elements;
  elements.reserve(std::min<size_t>(static_cast<size_t>(count), kReserveMax));
  for (int32_t i = 0; i < count; ++i) {
    ORRERY_ASSIGN(const NullableView element, reader.ReadNullable());
    elements.push_back(element);
  }
  ORRERY_TRY(reader.Finish());
  return elements;
}

Result<std::vector<EntryView>> UnpackEntries(std::string_view bytes) {
  std::vector<EntryView> entries;
  if (bytes.empty()) return entries;
  ElementReader reader("map", bytes);
  ORRERY_ASSIGN(const int32_t count, reader.ReadCount());
  entries.reserve(std::min<size_t>(static_cast<size_t>(count), kReserveMax));
  for (int32_t i = 0; i < count; ++i) {
    ORRERY_ASSIGN(const std::string_view key, reader.Read());
    ORRERY_ASSIGN(const std::string_view value, reader.Read());
    entries.push_back({key, value});
  }
  ORRERY_TRY(reader.Finish());
  return entries;
}

Result<std::vector<NullableView>> UnpackComponents(const Type& type, std::string_view bytes) {
  const size_t count = type.parameters().size();
  std::vector<NullableView> components(count);
  ByteReader reader(bytes);
  for (size_t i = 0; i < count && !reader.empty(); ++i) {
    int32_t size = 0;
    if (!reader.ReadBigEndian(size)) return BadComponent(type, i, "size of ");
    if (size < 0) continue;
    std::string_view component;
    if (!reader.ReadBytes(static_cast<size_t>(size), component)) return BadComponent(type, i, "");
    components[i] = component;
  }
  if (!reader.empty()) {
    return Fail(Code::kInvalidArgument,
                fmt::format("Invalid remaining data after end of {} value",
                            type.kind() == TypeKind::kUdt ? "UDT" : "tuple"));
  }
  return components;
}

Result<Views> UnpackVector(const Type& type, std::string_view bytes) {
  if (bytes.empty()) return Fail(Code::kInvalidArgument, "Invalid empty vector value");
  const std::optional<size_t> fixed = type.element().FixedLength();
  ByteReader reader(bytes);
  Views elements;
  elements.reserve(type.dimension());
  for (uint32_t i = 0; i < type.dimension(); ++i) {
    uint64_t size = fixed.value_or(0);
    if (!fixed.has_value() && !ReadUnsignedVint(reader, size)) return TooShort(type.CqlName());
    std::string_view element;
    if (!reader.ReadBytes(size, element)) return TooShort(type.CqlName());
    elements.push_back(element);
  }
  if (!reader.empty()) {
    return Fail(Code::kInvalidArgument, fmt::format("Unexpected {} extraneous bytes after {} value",
                                                    reader.rest().size(), type.CqlName()));
  }
  return elements;
}

std::string PackElements(std::span<const std::string_view> elements) {
  std::string out;
  AppendBigEndian(out, static_cast<int32_t>(elements.size()));
  for (const std::string_view element : elements) AppendElement(out, element);
  return out;
}

std::string PackEntries(std::span<const EntryView> entries) {
  std::string out;
  AppendBigEndian(out, static_cast<int32_t>(entries.size()));
  for (const EntryView& entry : entries) {
    AppendElement(out, entry.key);
    AppendElement(out, entry.value);
  }
  return out;
}

std::string PackComponents(std::span<const NullableView> components) {
  std::string out;
  for (const NullableView& component : components) {
    if (component.has_value()) {
      AppendElement(out, *component);
    } else {
      AppendBigEndian(out, int32_t{-1});
    }
  }
  return out;
}

std::string PackVector(const Type& type, std::span<const std::string_view> elements) {
  ORRERY_CHECK(elements.size() == type.dimension());
  const std::optional<size_t> fixed = type.element().FixedLength();
  std::string out;
  for (const std::string_view element : elements) {
    if (fixed.has_value()) {
      ORRERY_CHECK(element.size() == *fixed);
    } else {
      AppendUnsignedVint(out, element.size());
    }
    out.append(element);
  }
  return out;
}

Views AsViews(std::span<const std::string> values) { return {values.begin(), values.end()}; }

std::vector<NullableView> AsViews(std::span<const std::optional<std::string>> values) {
  return {values.begin(), values.end()};
}

}  // namespace orrery::cassandra
