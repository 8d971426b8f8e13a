// A PowerCut knows what of a directory tree is durable, and can leave it as a power cut would.
//
// Bytes are durable once their file was synced; names (of files created, linked, renamed, deleted)
// once a directory they stand in was synced, and with them every change of names before, as in a
// journaling file system. Deleted and replaced files are kept aside until then, to be put back.
//
// Not thread-safe. Speaks to the operating system itself; for tests.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace orrery::storage {

struct PowerCutOptions {
  uint64_t seed = 1;
  // The fate of bytes that were not synced: all go, a random first part stays, or a random first
  // part stays with garbage at its end.
  enum class Bytes { kLost, kTorn, kGarbled } bytes = Bytes::kLost;
  // The fate of changes of names that were not synced: all stay, all go, or a random number of the
  // first stay.
  enum class Names { kKept, kLost, kSomeLost } names = Names::kLost;
};

// A file that was opened for writing.
class TrackedFile {
 public:
  // The content of a file that is opened: nothing, what is durable, or durable zeros that are
  // written over from the start.
  enum class Content { kNone, kDurable, kZeros };

  TrackedFile(const std::string& path, Content content);
  ~TrackedFile();
  TrackedFile(const TrackedFile&) = delete;
  TrackedFile& operator=(const TrackedFile&) = delete;

  void Appended(size_t bytes) {
    if (written_over_.has_value()) *written_over_ += bytes;
  }
  void Synced() { synced_bytes_ = size(); }
  void Truncated();
  bool durable() const { return synced_bytes_ == size(); }

 private:
  friend class PowerCut;
  // Up to the end of what was written.
  uint64_t size() const;

  const int descriptor_;
  uint64_t synced_bytes_ = 0;
  std::optional<uint64_t> written_over_;  // of kZeros, until it is truncated
};

class PowerCut {
 public:
  // `scratch` must be on the file system of the tree; it is created when missing.
  PowerCut(std::string scratch, PowerCutOptions options);

  // After a file was opened for writing.
  std::shared_ptr<TrackedFile> Track(const std::string& path, TrackedFile::Content content);

  // After each change of names.
  void Created(const std::string& path);  // also for links and directories
  void DirectoryDeleted(const std::string& path);
  // Before a deletion or the replacement of `path`: keeps the file; "" when there is none.
  std::string KeepAside(const std::string& path);
  void Deleted(const std::string& path, std::string kept);
  void Renamed(const std::string& from, const std::string& to, std::string replaced);
  // Forgets a change that did not happen.
  void Discard(const std::string& kept);

  void DirectorySynced(const std::string& path);

  // Takes back what was not durable.
  void Cut();

 private:
  enum class Change { kCreated, kDirectoryDeleted, kDeleted, kRenamed };
  struct NameChange {
    Change change;
    std::string path;
    std::string to;    // kRenamed
    std::string kept;  // the deleted or replaced file, in scratch_
  };
  static void Undo(const NameChange& change);
  void CutBytes(TrackedFile& file);

  const std::string scratch_;
  const PowerCutOptions options_;
  std::mt19937_64 random_;
  uint64_t kept_count_ = 0;
  std::vector<NameChange> pending_;                         // oldest first
  std::map<uint64_t, std::shared_ptr<TrackedFile>> files_;  // by inode
};

}  // namespace orrery::storage
