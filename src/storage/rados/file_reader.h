// A FileReader reads a file from its stripes, in parallel where a read touches several, and what is
// not stored yet from the writer that has it.
//
// A file that was removed under the reader by a new owner of its directory answers kFenced; a
// stripe that is missing or too short otherwise is kCorruption.
//
// Thread-safe. The store, the remover and the small files must outlive it and every read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "base/status.h"
#include "storage/rados/file_remover.h"
#include "storage/rados/owned_directory.h"
#include "storage/rados/small_files.h"

namespace orrery::storage::rados {

class FileReader : public std::enable_shared_from_this<FileReader> {
 public:
  // The bytes are those of the writer, or as many as `file.entry` says, closed or not. `owner` is
  // null for a directory that is not ours.
  FileReader(ObjectStore& store, FileRemover& remover, SmallFiles& small, FoundFile file,
             std::shared_ptr<OwnedDirectory> owner);

  uint64_t size() const;
  const FileId& id() const { return file_.entry.id; }

  // A read that is on its way. Whoever drops it does not wait for it.
  class Pending {
   public:
    // Waits for it; the bytes are at `out`, fewer than were asked for at the end of the file only.
    // Once. REQUIRES: room for what was asked for.
    Result<size_t> Finish(char* out);

   private:
    friend class FileReader;
    struct Part {
      std::string object;
      uint64_t offset = 0;
      size_t bytes = 0;
      Result<std::string> answer;
    };
    // Shared with the answers that are to come. They must not keep the reader: letting go of a file
    // is nothing for the store's threads.
    struct Parts {
      Mutex mutex;
      CondVar answered;
      size_t missing GUARDED_BY(mutex) = 0;
      std::vector<Part> all;  // each is its answer's, until none is missing
    };
    std::shared_ptr<const FileReader> reader_;
    const std::shared_ptr<Parts> parts_ = std::make_shared<Parts>();
    std::string tail_;    // from memory
    bool whole_ = false;  // of a file that may be remembered
  };
  std::shared_ptr<Pending> Start(uint64_t offset, size_t bytes) const;

  Result<size_t> Read(uint64_t offset, size_t bytes, char* out) const {
    return Start(offset, bytes)->Finish(out);
  }

 private:
  Error Explain(const Error& error, const std::string& object) const;

  ObjectStore& store_;
  SmallFiles& small_;
  const FoundFile file_;
  const std::shared_ptr<OwnedDirectory> owner_;
  const FileRemover::Hold hold_;
};

}  // namespace orrery::storage::rados
