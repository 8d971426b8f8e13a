#include "storage/log/log_scan.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>

#include "storage/error_map.h"
#include "storage/slice_rep.h"

namespace orrery::storage {

rocksdb::IOStatus ReadBlocks(rocksdb::FileSystem& file_system, const std::string& path,
                             uint64_t limit,
                             const std::function<rocksdb::IOStatus(std::string_view)>& take) {
  std::unique_ptr<rocksdb::FSSequentialFile> file;
  rocksdb::IOStatus status =
      file_system.NewSequentialFile(path, rocksdb::FileOptions(), &file, nullptr);
  std::string buffer(LogCheck::kBlockBytes, '\0');
  while (status.ok() && limit > 0) {
    const size_t wanted = std::min<uint64_t>(limit, buffer.size());
    rocksdb::Slice block;
    status = file->Read(wanted, rocksdb::IOOptions(), &block, buffer.data(), nullptr);
    if (status.ok()) status = take(ToView(block));
    if (block.size() < wanted) break;
    limit -= wanted;
  }
  return status;
}

Result<LogCheck> ScanLog(rocksdb::FileSystem& file_system, const std::string& path,
                         LogCheck::OnRecord on_record) {
  LogCheck check(std::move(on_record));
  const rocksdb::IOStatus status =
      ReadBlocks(file_system, path, UINT64_MAX, [&check](std::string_view block) {
        check.Feed(block);
        return rocksdb::IOStatus::OK();
      });
  if (!status.ok()) return Fail(MapError(status, fmt::format("reading '{}'", path)));
  return check;
}

Result<std::string> CurrentManifest(rocksdb::FileSystem& file_system,
                                    const std::string& directory) {
  constexpr uint64_t kNameBytesMax = 64;
  std::string name;
  const rocksdb::IOStatus status =
      ReadBlocks(file_system, directory + "/CURRENT", kNameBytesMax, [&](std::string_view block) {
        name += block;
        return rocksdb::IOStatus::OK();
      });
  ORRERY_TRY(MapStatus(status, "reading CURRENT of", directory));
  if (!name.starts_with("MANIFEST-") || !name.ends_with('\n')) return std::string();
  name.pop_back();
  return name;
}

std::optional<uint64_t> LogNumber(std::string_view name) {
  constexpr std::string_view kSuffix = ".log";
  if (!name.ends_with(kSuffix)) return std::nullopt;
  name.remove_suffix(kSuffix.size());
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (error != std::errc() || end != name.data() + name.size()) return std::nullopt;
  return number;
}

}  // namespace orrery::storage
