// Operations on files by name: open, link, rename, delete, measure.
//
// Thread-safe. Paths are normal (path.h).
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/status.h"
#include "storage/rados/directory/directory_tree.h"
#include "storage/rados/file/file_reader.h"

namespace orrery::storage::rados {

class FileNames {
 public:
  // All must outlive it.
  FileNames(ObjectStore& store, FileRemover& remover, DirectoryTree& tree, uint32_t stripe_bytes)
      : store_(store), remover_(remover), tree_(tree), stripe_bytes_(stripe_bytes) {}

  // kNotFound when there is no such file, or it is a directory.
  Result<FoundFile> Find(const std::string& path);
  // As it is now; of a file that another process writes, as its stripes are.
  Result<uint64_t> Size(const FoundFile& file);

  Result<std::shared_ptr<FileReader>> OpenToRead(const std::string& path);

  // A file that is written, and where.
  struct Writing {
    std::shared_ptr<OwnedDirectory> directory;
    std::shared_ptr<FileWriter> writer;
  };
  Result<Writing> Create(const std::string& path);
  // The same with the content of `former`, which keeps the name until all of it is there.
  Result<Writing> CreateFrom(const FileReader& former, const std::string& path);

  // A second name, for the bytes as they are: when the file is written still, `target` does not
  // grow with it. kAlreadyExists when there is a `target`.
  Status Link(const std::string& source, const std::string& target);
  Result<uint64_t> CountLinks(const std::string& path);

  // Of a file or a directory. Within one directory it is atomic; a file may go to another directory
  // too, and then is under both names for a moment.
  Status Rename(const std::string& from, const std::string& to);
  Status Delete(const std::string& path);

 private:
  // Gives the file a further link, to be named in `directory`.
  Result<FileEntry> LinkInto(OwnedDirectory& directory, FileEntry source);
  Status Move(const FoundFile& file, const std::string& from, const std::string& to);

  ObjectStore& store_;
  FileRemover& remover_;
  DirectoryTree& tree_;
  SmallFiles small_;
  const uint32_t stripe_bytes_;
};

}  // namespace orrery::storage::rados
