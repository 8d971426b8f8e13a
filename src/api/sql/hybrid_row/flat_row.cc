#include "api/sql/hybrid_row/flat_row.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/bytes.h"
#include "base/check.h"

namespace orrery::sql::hybrid {
namespace {

// Type codes of sparse cells.
enum class Type : uint8_t {
  kNull = 1,
  kFalse = 2,
  kTrue = 3,
  kInt8 = 5,
  kInt16 = 6,
  kInt32 = 7,
  kInt64 = 8,
  kUint8 = 9,
  kUint16 = 10,
  kUint32 = 11,
  kUint64 = 12,
  kVarint = 13,
  kVaruint = 14,
  kFloat32 = 15,
  kFloat64 = 16,
  kDecimal = 17,
  kDateTime = 18,
  kGuid = 19,
  kUtf8 = 20,
  kBinary = 21,
  kFloat128 = 22,
  kUnixDateTime = 23,
  kObjectId = 24,
};

constexpr size_t kHeaderBytes = 1 + sizeof(int32_t);
constexpr size_t kFixedCellBytes = sizeof(uint32_t);
constexpr size_t kBitsPerByte = 8;

std::unexpected<Error> MalformedRow(std::string_view what) {
  return Fail(Code::kInvalidArgument, fmt::format("the HybridRow is malformed: {}", what));
}

template <typename T>
T LoadLittleEndian(const char* data) {
  static_assert(std::endian::native == std::endian::little);
  T value;
  std::memcpy(&value, data, sizeof(T));
  return value;
}

template <typename T>
void AppendLittleEndian(std::string& out, T value) {
  static_assert(std::endian::native == std::endian::little);
  out.append(reinterpret_cast<const char*>(&value), sizeof(T));
}

template <typename T>
bool ReadLittleEndian(ByteReader& reader, T& value) {
  std::string_view bytes;
  if (!reader.ReadBytes(sizeof(T), bytes)) return false;
  value = LoadLittleEndian<T>(bytes.data());
  return true;
}

bool HasBit(const Column& column) {
  return column.storage == Storage::kVariable ||
         (column.storage == Storage::kFixed && column.nullable);
}

size_t PresenceBytes(const Layout& layout) {
  const auto bits = static_cast<size_t>(std::ranges::count_if(layout.columns, HasBit));
  return (bits + kBitsPerByte - 1) / kBitsPerByte;
}

size_t CountFixed(const Layout& layout) {
  return static_cast<size_t>(std::ranges::count(layout.columns, Storage::kFixed, &Column::storage));
}

// The bits of `presence`. Columns with bits have them in their order.
class Presence {
 public:
  explicit Presence(std::string_view bytes) : bytes_(bytes) {}

  bool Next(const Column& column) {
    if (!HasBit(column)) return column.storage == Storage::kFixed;
    const size_t bit = bit_++;
    return (static_cast<uint8_t>(bytes_[bit / kBitsPerByte]) >> (bit % kBitsPerByte) & 1) != 0;
  }

 private:
  std::string_view bytes_;
  size_t bit_ = 0;
};

Status CheckHeader(const Layout& layout, ByteReader& reader) {
  uint8_t version = 0;
  int32_t schema = 0;
  if (!ReadLittleEndian(reader, version) || !ReadLittleEndian(reader, schema))
    return MalformedRow("it is too short");
  if (version != kRowVersion) return MalformedRow(fmt::format("its version is {}", version));
  if (schema != layout.schema)
    return MalformedRow(fmt::format("its schema is {}, not {}", schema, layout.schema));
  return {};
}

template <typename T>
bool ReadInteger(ByteReader& reader, Cell& cell) {
  T value{};
  if (!ReadLittleEndian(reader, value)) return false;
  cell = static_cast<int64_t>(value);
  return true;
}

template <typename T>
bool ReadFloat(ByteReader& reader, Cell& cell) {
  T value{};
  if (!ReadLittleEndian(reader, value)) return false;
  cell = static_cast<double>(value);
  return true;
}

// Of types that nobody here needs: their bytes as they are.
bool ReadRaw(ByteReader& reader, size_t size, Cell& cell) {
  std::string_view bytes;
  if (!reader.ReadBytes(size, bytes)) return false;
  cell = bytes;
  return true;
}

bool ReadVaruint(ByteReader& reader, bool rotated, Cell& cell) {
  uint64_t value = 0;
  if (!reader.ReadVarint(value)) return false;
  cell =
      rotated ? static_cast<int64_t>(value >> 1 ^ (~(value & 1) + 1)) : static_cast<int64_t>(value);
  return true;
}

// False when the bytes end, or when the type is none of a single value.
bool ReadSparseValue(Type type, ByteReader& reader, Cell& cell) {
  switch (type) {
    case Type::kNull:
    case Type::kFalse:
      cell = int64_t{0};
      return true;
    case Type::kTrue:
      cell = int64_t{1};
      return true;
    case Type::kInt8:
      return ReadInteger<int8_t>(reader, cell);
    case Type::kInt16:
      return ReadInteger<int16_t>(reader, cell);
    case Type::kInt32:
      return ReadInteger<int32_t>(reader, cell);
    case Type::kInt64:
    case Type::kDateTime:
    case Type::kUnixDateTime:
      return ReadInteger<int64_t>(reader, cell);
    case Type::kUint8:
      return ReadInteger<uint8_t>(reader, cell);
    case Type::kUint16:
      return ReadInteger<uint16_t>(reader, cell);
    case Type::kUint32:
      return ReadInteger<uint32_t>(reader, cell);
    case Type::kUint64:
      return ReadInteger<uint64_t>(reader, cell);
    case Type::kVarint:
      return ReadVaruint(reader, /*rotated=*/true, cell);
    case Type::kVaruint:
      return ReadVaruint(reader, /*rotated=*/false, cell);
    case Type::kFloat32:
      return ReadFloat<float>(reader, cell);
    case Type::kFloat64:
      return ReadFloat<double>(reader, cell);
    case Type::kDecimal:
    case Type::kGuid:
    case Type::kFloat128:
      return ReadRaw(reader, 16, cell);
    case Type::kObjectId:
      return ReadRaw(reader, 12, cell);
    case Type::kUtf8:
    case Type::kBinary: {
      std::string_view bytes;
      if (!reader.ReadLengthPrefixed(bytes)) return false;
      cell = bytes;
      return true;
    }
  }
  return false;
}

// The empty name has the token 0.
bool ReadName(const Layout& layout, ByteReader& reader, std::string_view& name) {
  uint64_t token = 0;
  if (!reader.ReadVarint(token)) return false;
  const uint64_t names = layout.columns.size() + 1;
  if (token >= names) return reader.ReadBytes(token - names, name);
  name = token == 0 ? std::string_view() : layout.columns[token - 1].name;
  return true;
}

}  // namespace

Result<std::vector<NamedCell>> ReadRow(const Layout& layout, std::string_view bytes) {
  ByteReader reader(bytes);
  ORRERY_TRY(CheckHeader(layout, reader));
  std::string_view bits;
  if (!reader.ReadBytes(PresenceBytes(layout), bits)) return MalformedRow("it is too short");
  Presence presence(bits);
  std::vector<NamedCell> cells;
  for (const Column& column : layout.columns) {
    if (column.storage == Storage::kSparse) continue;
    const bool present = presence.Next(column);
    Cell cell;
    std::string_view text;
    if (column.storage == Storage::kFixed) {
      if (!ReadInteger<int32_t>(reader, cell)) return MalformedRow("it ends in its fixed columns");
    } else if (present) {
      if (!reader.ReadLengthPrefixed(text)) return MalformedRow("it ends in its variable columns");
      cell = text;
    }
    if (present) cells.push_back({column.name, cell});
  }
  while (!reader.empty()) {
    uint8_t type = 0;
    NamedCell cell;
    if (!ReadLittleEndian(reader, type) || !ReadName(layout, reader, cell.name) ||
        !ReadSparseValue(Type{type}, reader, cell.cell)) {
      return MalformedRow(fmt::format("a sparse column of type {}", type));
    }
    cells.push_back(cell);
  }
  return cells;
}

size_t FixedBytes(const Layout& layout) {
  return kHeaderBytes + PresenceBytes(layout) + CountFixed(layout) * kFixedCellBytes;
}

Result<std::vector<uint32_t>> ReadFixed(const Layout& layout, std::string_view bytes) {
  ByteReader reader(bytes);
  ORRERY_TRY(CheckHeader(layout, reader));
  std::string_view bits;
  if (!reader.ReadBytes(PresenceBytes(layout), bits)) return MalformedRow("it is too short");
  std::vector<uint32_t> values(CountFixed(layout));
  for (uint32_t& value : values) {
    if (!ReadLittleEndian(reader, value)) return MalformedRow("it ends in its fixed columns");
  }
  return values;
}

RowBuilder::RowBuilder(const Layout& layout) : layout_(layout) {
  AppendLittleEndian(row_, kRowVersion);
  AppendLittleEndian(row_, layout.schema);
  row_.resize(FixedBytes(layout));
}

size_t RowBuilder::IndexOf(std::string_view name, Storage storage) const {
  const auto found = std::ranges::find(layout_.columns, name, &Column::name);
  ORRERY_CHECK(found != layout_.columns.end() && found->storage == storage);
  return static_cast<size_t>(found - layout_.columns.begin());
}

void RowBuilder::MarkPresent(size_t column) {
  if (!HasBit(layout_.columns[column])) return;
  const auto bit =
      static_cast<size_t>(std::ranges::count_if(layout_.columns.first(column), HasBit));
  row_[kHeaderBytes + bit / kBitsPerByte] |= static_cast<char>(1U << (bit % kBitsPerByte));
}

void RowBuilder::PutFixed(std::string_view name, uint32_t value) {
  const size_t column = IndexOf(name, Storage::kFixed);
  MarkPresent(column);
  // Fixed columns are the first ones.
  std::memcpy(row_.data() + kHeaderBytes + PresenceBytes(layout_) + column * kFixedCellBytes,
              &value, sizeof(value));
}

void RowBuilder::PutVariable(std::string_view name, std::string_view bytes) {
  MarkPresent(IndexOf(name, Storage::kVariable));
  AppendLengthPrefixed(row_, bytes);
}

void RowBuilder::BeginSparse(std::string_view name, uint8_t type) {
  row_ += static_cast<char>(type);
  AppendVarint(row_, IndexOf(name, Storage::kSparse) + 1);
}

void RowBuilder::PutSparseUint32(std::string_view name, uint32_t value) {
  BeginSparse(name, static_cast<uint8_t>(Type::kUint32));
  AppendLittleEndian(row_, value);
}

void RowBuilder::PutSparseDouble(std::string_view name, double value) {
  BeginSparse(name, static_cast<uint8_t>(Type::kFloat64));
  AppendLittleEndian(row_, value);
}

void RowBuilder::PutSparseText(std::string_view name, std::string_view text) {
  BeginSparse(name, static_cast<uint8_t>(Type::kUtf8));
  AppendLengthPrefixed(row_, text);
}

void RowBuilder::PutSparseBool(std::string_view name, bool value) {
  BeginSparse(name, static_cast<uint8_t>(value ? Type::kTrue : Type::kFalse));
}

}  // namespace orrery::sql::hybrid
