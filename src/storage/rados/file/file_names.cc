#include "storage/rados/file/file_names.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "storage/rados/directory/path.h"
#include "storage/rados/file/link_tags.h"
#include "storage/rados/file/stripes.h"

namespace orrery::storage::rados {

namespace {

constexpr size_t kCopyBytes = 4 << 20;

Status Copy(const FileReader& from, FileWriter& to) {
  std::string bytes(std::min<uint64_t>(kCopyBytes, from.size()), '\0');
  for (uint64_t at = 0; at < from.size();) {
    ORRERY_ASSIGN(const size_t read, from.Read(at, bytes.size(), bytes.data()));
    if (read == 0) break;
    ORRERY_TRY(to.Append({bytes.data(), read}));
    at += read;
  }
  return {};
}

}  // namespace

Result<FoundFile> FileNames::Find(const std::string& path) {
  ORRERY_ASSIGN(const std::optional<Found> found, tree_.Find(path));
  const FoundFile* file = found.has_value() ? std::get_if<FoundFile>(&*found) : nullptr;
  if (file == nullptr) return Fail(Code::kNotFound, fmt::format("there is no file '{}'", path));
  return *file;
}

Result<uint64_t> FileNames::Size(const FoundFile& file) {
  if (file.writer != nullptr) return file.writer->size();
  if (file.entry.closed) return file.entry.bytes;
  return MeasureFile(store_, file.entry);
}

Result<std::shared_ptr<FileReader>> FileNames::OpenToRead(const std::string& path) {
  ORRERY_ASSIGN(FoundFile file, Find(path));
  if (file.writer == nullptr && !file.entry.closed) {
    ORRERY_ASSIGN(file.entry.bytes, MeasureFile(store_, file.entry));
  }
  ORRERY_ASSIGN(const DirectoryTree::Place directory, tree_.Locate(SplitPath(path).first));
  return std::make_shared<FileReader>(store_, remover_, small_, std::move(file), directory.owned);
}

Result<FileNames::Writing> FileNames::Create(const std::string& path) {
  const auto [above, name] = SplitPath(path);
  if (name.empty()) return Fail(Code::kInvalidArgument, "the root is a directory");
  ORRERY_ASSIGN(std::shared_ptr<OwnedDirectory> directory, tree_.LocateToChange(above));
  ORRERY_ASSIGN(std::shared_ptr<FileWriter> writer, directory->NewFile(stripe_bytes_));
  const Status named = directory->NameFile(name, writer);
  if (!named.has_value()) {
    directory->Abandon(writer->entry().tag);
    return Fail(named.error());
  }
  return Writing{.directory = std::move(directory), .writer = std::move(writer)};
}

Result<FileNames::Writing> FileNames::CreateFrom(const FileReader& former,
                                                 const std::string& path) {
  const auto [above, name] = SplitPath(path);
  ORRERY_ASSIGN(std::shared_ptr<OwnedDirectory> directory, tree_.LocateToChange(above));
  ORRERY_ASSIGN(std::shared_ptr<FileWriter> writer, directory->NewFile(stripe_bytes_));
  Status named = Copy(former, *writer);
  if (named.has_value()) named = directory->NameFile(name, writer);
  if (!named.has_value()) {
    directory->Abandon(writer->entry().tag);
    remover_.Unlink(writer->entry());
    return Fail(named.error());
  }
  return Writing{.directory = std::move(directory), .writer = std::move(writer)};
}

Result<FileEntry> FileNames::LinkInto(OwnedDirectory& directory, FileEntry source) {
  const LinkTag tag = directory.NewTag();
  const Status linked = AddLink(store_, source, tag);
  if (!linked.has_value()) {
    directory.Abandon(tag);
    return Fail(linked.error());
  }
  source.tag = tag;
  return source;
}

Status FileNames::Link(const std::string& source, const std::string& target) {
  ORRERY_ASSIGN(FoundFile file, Find(source));
  const FileRemover::Hold hold(remover_, file.entry.id);
  const auto [above, name] = SplitPath(target);
  ORRERY_ASSIGN(const std::shared_ptr<OwnedDirectory> directory, tree_.LocateToChange(above));
  if (directory->Find(name).has_value())
    return Fail(Code::kAlreadyExists, fmt::format("there is a '{}'", target));
  if (file.writer != nullptr) {
    // After a failed write what is stored for certain is what can be linked.
    static_cast<void>(file.writer->Sync());
    file.entry.bytes = file.writer->stored();
    file.entry.closed = true;
    if (file.entry.bytes == 0) {
      // Its first stripe is its writer's to make.
      const FileId empty = directory->NewTag();
      file.entry.id = empty;
      file.entry.tag = empty;
      return directory->AddLink(name, file.entry);
    }
  }
  if (!file.entry.closed)
    return Fail(Code::kUnsupported, fmt::format("another process writes '{}'", source));
  ORRERY_ASSIGN(const FileEntry linked, LinkInto(*directory, file.entry));
  const Status named = directory->AddLink(name, linked);
  if (!named.has_value()) {
    remover_.Unlink(linked);
    directory->Abandon(linked.tag);
  }
  return named;
}

Result<uint64_t> FileNames::CountLinks(const std::string& path) {
  ORRERY_ASSIGN(const FoundFile file, Find(path));
  const Result<std::set<LinkTag>> links = ReadLinks(store_, file.entry.id);
  if (links.has_value()) return links->size();
  // A file without bytes may have no object.
  if (links.error().code() == Code::kNotFound) return 1;
  return Fail(links.error());
}

Status FileNames::Rename(const std::string& from, const std::string& to) {
  ORRERY_ASSIGN(const std::optional<Found> found, tree_.Find(from));
  if (!found.has_value()) return Fail(Code::kNotFound, fmt::format("there is no '{}'", from));
  const auto* file = std::get_if<FoundFile>(&*found);
  if (file == nullptr) return tree_.Rename(from, to);
  const auto [from_above, from_name] = SplitPath(from);
  const auto [to_above, to_name] = SplitPath(to);
  if (from_above != to_above) return Move(*file, from, to);
  ORRERY_ASSIGN(const std::shared_ptr<OwnedDirectory> directory, tree_.LocateToChange(from_above));
  return directory->Rename(from_name, to_name);
}

Status FileNames::Move(const FoundFile& file, const std::string& from, const std::string& to) {
  if (file.writer != nullptr || !file.entry.closed)
    return Fail(Code::kUnsupported, fmt::format("'{}' is being written", from));
  const auto [from_above, from_name] = SplitPath(from);
  const auto [to_above, to_name] = SplitPath(to);
  ORRERY_ASSIGN(const std::shared_ptr<OwnedDirectory> source, tree_.LocateToChange(from_above));
  ORRERY_ASSIGN(const std::shared_ptr<OwnedDirectory> target, tree_.LocateToChange(to_above));
  const std::optional<Found> there = target->Find(to_name);
  if (there.has_value() && std::holds_alternative<DirectoryId>(*there))
    return Fail(Code::kInvalidArgument, fmt::format("'{}' is a directory", to));
  const FileRemover::Hold hold(remover_, file.entry.id);
  ORRERY_ASSIGN(const FileEntry linked, LinkInto(*target, file.entry));
  const Status named = target->Replace(to_name, linked);
  if (!named.has_value()) {
    target->Abandon(linked.tag);
    return named;
  }
  return source->Delete(from_name);
}

Status FileNames::Delete(const std::string& path) {
  const auto [above, name] = SplitPath(path);
  // Before the directory is taken for nothing.
  ORRERY_ASSIGN(const FoundFile file, Find(path));
  ORRERY_ASSIGN(const std::shared_ptr<OwnedDirectory> directory, tree_.LocateToChange(above));
  if (!remover_.Holds(file.entry.id) || file.entry.tag.epoch == directory->epoch())
    return directory->Delete(name);
  // Other processes take a link of an earlier epoch for garbage as soon as it has no name, but we
  // read the file still.
  ORRERY_ASSIGN(const FileEntry kept, LinkInto(*directory, file.entry));
  const Status deleted = directory->Delete(name);
  remover_.Unlink(kept);
  directory->Abandon(kept.tag);
  return deleted;
}

}  // namespace orrery::storage::rados
