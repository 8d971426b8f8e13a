#include "storage/rados/directory/directory_entry.h"

#include <fmt/core.h>

#include "base/bytes.h"
#include "base/crc32c.h"

namespace orrery::storage::rados {
namespace {

constexpr uint8_t kVersion = 1;
constexpr uint8_t kFileKind = 1;
constexpr uint8_t kDirectoryKind = 2;

void AppendFileId(std::string& out, const FileId& id) {
  AppendBigEndian(out, id.directory.value());
  AppendBigEndian(out, id.epoch.value());
  AppendBigEndian(out, id.number);
}

bool ReadFileId(ByteReader& reader, FileId& id) {
  uint64_t directory = 0;
  uint32_t epoch = 0;
  if (!reader.ReadBigEndian(directory) || !reader.ReadBigEndian(epoch) ||
      !reader.ReadBigEndian(id.number))
    return false;
  id.directory = DirectoryId(directory);
  id.epoch = DirectoryEpoch(epoch);
  return true;
}

bool ReadFile(ByteReader& reader, FileEntry& file) {
  uint64_t stripe_bytes = 0;
  uint64_t modified = 0;
  uint8_t closed = 0;
  if (!ReadFileId(reader, file.id) || !ReadFileId(reader, file.tag) ||
      !reader.ReadVarint(stripe_bytes) || !reader.ReadVarint(modified) ||
      !reader.ReadBigEndian(closed) || closed > 1)
    return false;
  if (stripe_bytes < kStripeBytesMin || stripe_bytes > kStripeBytesMax) return false;
  if (modified > static_cast<uint64_t>(Micros::max().count())) return false;
  file.stripe_bytes = static_cast<uint32_t>(stripe_bytes);
  file.modified = Micros(static_cast<int64_t>(modified));
  file.closed = closed == 1;
  // More stripes than can be numbered cannot have been written.
  return !file.closed ||
         (reader.ReadVarint(file.bytes) && file.bytes / file.stripe_bytes <= UINT32_MAX);
}

bool ReadEntry(std::string_view body, Entry& entry) {
  ByteReader reader(body);
  uint8_t version = 0;
  uint8_t kind = 0;
  if (!reader.ReadBigEndian(version) || version != kVersion || !reader.ReadBigEndian(kind))
    return false;
  if (kind == kFileKind) {
    FileEntry file;
    if (!ReadFile(reader, file)) return false;
    entry = file;
  } else if (kind == kDirectoryKind) {
    uint64_t id = 0;
    if (!reader.ReadBigEndian(id)) return false;
    entry = DirectoryId(id);
  } else {
    return false;
  }
  return reader.empty();
}

}  // namespace

std::string EncodeEntry(const Entry& entry) {
  std::string out;
  AppendBigEndian(out, kVersion);
  if (const auto* file = std::get_if<FileEntry>(&entry)) {
    AppendBigEndian(out, kFileKind);
    AppendFileId(out, file->id);
    AppendFileId(out, file->tag);
    AppendVarint(out, file->stripe_bytes);
    AppendVarint(out, static_cast<uint64_t>(file->modified.count()));
    AppendBigEndian(out, static_cast<uint8_t>(file->closed));
    if (file->closed) AppendVarint(out, file->bytes);
  } else {
    AppendBigEndian(out, kDirectoryKind);
    AppendBigEndian(out, std::get<DirectoryId>(entry).value());
  }
  AppendBigEndian(out, Crc32c(0, out));
  return out;
}

Result<Entry> DecodeEntry(std::string_view bytes, std::string_view object, std::string_view name) {
  Entry entry;
  if (bytes.size() > sizeof(uint32_t)) {
    const std::string_view body = bytes.substr(0, bytes.size() - sizeof(uint32_t));
    if (LoadBigEndian<uint32_t>(body.data() + body.size()) == Crc32c(0, body) &&
        ReadEntry(body, entry))
      return entry;
  }
  return Fail(Code::kCorruption,
              fmt::format("the entry '{}' of the directory object '{}' is damaged", name, object));
}

std::string EncodeLinks(const std::set<LinkTag>& links) {
  std::string out;
  for (const LinkTag& link : links) AppendFileId(out, link);
  return out;
}

Result<std::set<LinkTag>> DecodeLinks(std::string_view bytes, std::string_view object) {
  std::set<LinkTag> links;
  ByteReader reader(bytes);
  while (!reader.empty()) {
    LinkTag link;
    if (!ReadFileId(reader, link) || (!links.empty() && link <= *links.rbegin()))
      return Fail(Code::kCorruption,
                  fmt::format("the links of the object '{}' are damaged", object));
    links.insert(link);
  }
  return links;
}

}  // namespace orrery::storage::rados
