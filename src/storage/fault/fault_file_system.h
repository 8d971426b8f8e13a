// A FaultFileSystem is the operating system's file system with faults, for tests of everything that
// stands on an Engine: put AsFileSystem() into ResourceOptions::file_system.
//
// It counts every call; fails, delays or watches calls by kind; and cuts the power at any call:
// from then on every call fails and nothing reaches the disk, and the files are left as a power cut
// leaves them (see power_cut.h). Restart() makes them usable again: destroy every engine before it.
// Sync costs nothing here: durability is a matter of what survives Crash().
//
// Thread-safe. Calls are carried out one at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/status.h"
#include "storage/fault/power_cut.h"

namespace rocksdb {
class FileSystem;
}

namespace orrery::storage {

enum class FileCall : uint8_t {
  kOpenToRead,
  kOpenToWrite,
  kRead,
  kAppend,
  kFlush,
  kSync,
  kTruncate,
  kClose,
  kRename,
  kLink,
  kDelete,
  kCreateDirectory,
  kDeleteDirectory,
  kOpenDirectory,
  kSyncDirectory,
  kList,
  kInspect,  // existence, size, times, links
  kLock,
  kUnlock,
};
inline constexpr size_t kFileCallKinds = static_cast<size_t>(FileCall::kUnlock) + 1;

enum class Fault : uint8_t { kIoError, kNoSpace, kDenied };

class FaultFileSystem {
 public:
  static constexpr uint64_t kForever = UINT64_MAX;

  // `scratch` is a directory for this object's own use, on the file system of the data.
  FaultFileSystem(std::string scratch, PowerCutOptions options = {});
  ~FaultFileSystem();
  FaultFileSystem(const FaultFileSystem&) = delete;
  FaultFileSystem& operator=(const FaultFileSystem&) = delete;

  // May outlive this object.
  std::shared_ptr<rocksdb::FileSystem> AsFileSystem() const;

  // So many were made, in all and of one kind.
  uint64_t calls() const;
  uint64_t calls(FileCall kind) const;

  // Cuts the power in place of the call that follows `calls` more (0: the next one).
  void CrashAfter(uint64_t calls);
  void Crash();
  bool crashed() const;
  // Power on. Also forgets CrashAfter and faults.
  void Restart();

  // After `skip` more calls of the kind, `times` of them fail.
  void Fail(FileCall kind, Fault fault, uint64_t skip = 0, uint64_t times = kForever);
  void ClearFaults();

  // Sets the answer of GetFreeSpace; nullopt: the real one.
  void SetFreeBytes(std::optional<uint64_t> bytes);

  // Runs `hook` with the path before each call of the kind, outside every lock: block in it to
  // delay the call. Null removes it.
  void Before(FileCall kind, std::function<void(const std::string& path)> hook);

  // Inverts one byte of a file, as a decaying disk does.
  static Status CorruptByte(const std::string& path, uint64_t offset);

  struct Core;  // internal: fault_file_system.cc

 private:
  const std::shared_ptr<Core> core_;
  const std::shared_ptr<rocksdb::FileSystem> file_system_;
};

}  // namespace orrery::storage
