// The state that the file system and everything opened in it share. Internal to storage/rados.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "base/mutex.h"
#include "storage/rados/directory/directory_tree.h"
#include "storage/rados/file/file_names.h"
#include "storage/rados/file/file_remover.h"
#include "storage/rados/rados_file_system.h"

namespace orrery::storage::rados {

struct FileSystemCore {
  FileSystemCore(std::shared_ptr<ObjectStore> given, const RadosOptions& options)
      : store(std::move(given)),
        remover(*store),
        tree(*store, remover, *options.clock, options.random),
        names(*store, remover, tree, options.stripe_bytes),
        free_bytes(options.free_bytes) {}

  // Held once within the process; across processes the fence decides.
  Mutex mutex;
  std::set<std::string> locks GUARDED_BY(mutex);

  const std::shared_ptr<ObjectStore> store;
  FileRemover remover;
  DirectoryTree tree;
  FileNames names;
  const std::function<std::optional<uint64_t>()> free_bytes;
};

}  // namespace orrery::storage::rados
