#include "cli/archive/archive_directory.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "cli/settings/settings_file.h"

namespace orrery::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFormatText = "orrery archive, format ";
constexpr std::string_view kFormat = "orrery archive, format 1\n";
constexpr size_t kFormatBytesMax = 256;

std::unexpected<Error> Failed(std::string_view what, const std::string& path) {
  return Fail(errno == ENOSPC ? Code::kResourceExhausted : Code::kForbidden,
              fmt::format("cannot {} {}: {}", what, path, std::strerror(errno)));
}

Status WriteAll(int file, std::string_view bytes, const std::string& path) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return Failed("write", path);
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  if (::fsync(file) != 0) return Failed("write", path);
  return {};
}

// All of it or nothing, also after a power cut.
Status WriteFile(const std::string& path, std::string_view bytes) {
  const std::string aside = path + ".part";
  const int file = ::open(aside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (file < 0) return Failed("write", aside);
  Status status = WriteAll(file, bytes, aside);
  ::close(file);
  ORRERY_TRY(std::move(status));
  if (::rename(aside.c_str(), path.c_str()) != 0) return Failed("rename", aside);
  return {};
}

// The whole file; what is wrong with it names it.
template <typename Decode>
auto ReadFile(const std::string& path, Decode decode) -> decltype(decode(std::string_view())) {
  ORRERY_ASSIGN(const std::string bytes, ReadSmallFile(path, kArchiveFileBytesMax));
  auto decoded = decode(bytes);
  if (!decoded.has_value()) {
    const Error& error = decoded.error();
    if (error.code() == Code::kUnsupported) return decoded;
    return Fail(Code::kCorruption,
                fmt::format("{} is damaged: {}; copy the archive again, or export "
                            "again",
                            path, error.message()));
  }
  return decoded;
}

Status CheckFormat(const std::string& path) {
  ORRERY_ASSIGN(const std::string text, ReadSmallFile(path + "/FORMAT", kFormatBytesMax));
  if (text == kFormat) return {};
  if (!text.starts_with(kFormatText))
    return Fail(Code::kInvalidArgument, fmt::format("{} is not an archive of Orrery", path));
  return Fail(Code::kUnsupported, fmt::format("{} was written by a newer version of Orrery ({})",
                                              path, text.substr(0, text.find('\n'))));
}

}  // namespace

Result<ArchiveDirectory> ArchiveDirectory::Create(std::string path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) {
    return Fail(Code::kForbidden, fmt::format("cannot make {}: {}", path, error.message()));
  }
  if (!fs::exists(path + "/FORMAT", error)) {
    if (!fs::is_empty(path, error)) {
      return Fail(Code::kInvalidArgument,
                  fmt::format("{} is not empty and not an archive: name another directory", path));
    }
    ORRERY_TRY(WriteFile(path + "/FORMAT", kFormat));
  }
  return Open(std::move(path));
}

Result<ArchiveDirectory> ArchiveDirectory::Open(std::string path) {
  ORRERY_TRY(CheckFormat(path));
  return ArchiveDirectory(std::move(path));
}

Result<gateway::ArchivedCatalog> ArchiveDirectory::ReadCatalog() const {
  return ReadFile(path_ + "/catalog",
                  [](std::string_view bytes) -> Result<gateway::ArchivedCatalog> {
                    ORRERY_ASSIGN(const auto document, DecodeDocumentFile(bytes));
                    return gateway::ArchivedCatalogFrom(document);
                  });
}

Status ArchiveDirectory::WriteCatalog(const gateway::ArchivedCatalog& catalog) const {
  return WriteFile(path_ + "/catalog", EncodeDocumentFile(gateway::ToDocument(catalog)));
}

Result<Manifest> ArchiveDirectory::ReadManifest() const {
  return ReadFile(path_ + "/manifest", [](std::string_view bytes) -> Result<Manifest> {
    ORRERY_ASSIGN(const auto document, DecodeDocumentFile(bytes));
    return ManifestFrom(document);
  });
}

Status ArchiveDirectory::WriteManifest(const Manifest& manifest) const {
  return WriteFile(path_ + "/manifest", EncodeDocumentFile(ToDocument(manifest)));
}

Result<Segment> ArchiveDirectory::ReadSegment(uint32_t container, uint32_t number) const {
  return ReadFile(SegmentPath(container, number), [=](std::string_view bytes) -> Result<Segment> {
    ORRERY_ASSIGN(Segment segment, DecodeSegment(bytes));
    if (segment.container != container || segment.number != number) {
      return Fail(Code::kCorruption, fmt::format("it is segment {} of container {}", segment.number,
                                                 segment.container));
    }
    return segment;
  });
}

Status ArchiveDirectory::WriteSegment(const Segment& segment) const {
  const std::string path = SegmentPath(segment.container, segment.number);
  std::error_code error;
  fs::create_directories(fs::path(path).parent_path(), error);
  if (error)
    return Fail(Code::kForbidden, fmt::format("cannot make {}: {}", path, error.message()));
  return WriteFile(path, EncodeSegment(segment));
}

std::string ArchiveDirectory::SegmentPath(uint32_t container, uint32_t number) const {
  return fmt::format("{}/{:04}/{:06}.seg", path_, container, number);
}

}  // namespace orrery::cli
