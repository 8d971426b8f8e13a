// The bytes of a directory's entries, and of the list of a file's links.
//
//   entry     := body crc:uint32be            ; CRC-32C of the body
//   body      := 0x01 kind rest               ; version 1
//   kind      := 0x01 file | 0x02 directory
//   directory := id:uint64be
//   file      := file_id link_tag stripe_bytes:varint modified_us:varint state
//   file_id, link_tag := directory:uint64be epoch:uint32be number:uint32be
//   state     := 0x00 open | 0x01 closed bytes:varint
//   links     := link_tag*                    ; rising, in the attribute "links" of stripe 0
//
// Anything else is kCorruption. docs/format/rados.md has a worked example.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <variant>

#include "base/clock.h"
#include "base/status.h"
#include "storage/rados/file/file_id.h"

namespace orrery::storage::rados {

inline constexpr uint64_t kStripeBytesMin = 1;
inline constexpr uint64_t kStripeBytesMax = 64 << 20;

struct FileEntry {
  FileId id;
  LinkTag tag;
  uint32_t stripe_bytes = 0;
  Micros modified{0};
  // An open file is as long as its stripes are; `bytes` is of closed ones.
  bool closed = false;
  uint64_t bytes = 0;

  bool operator==(const FileEntry&) const = default;
};

// The object that a name denotes: a file or a directory.
using Entry = std::variant<FileEntry, DirectoryId>;

std::string EncodeEntry(const Entry& entry);
// `object` and `name` are for the message.
Result<Entry> DecodeEntry(std::string_view bytes, std::string_view object, std::string_view name);

std::string EncodeLinks(const std::set<LinkTag>& links);
Result<std::set<LinkTag>> DecodeLinks(std::string_view bytes, std::string_view object);

}  // namespace orrery::storage::rados
