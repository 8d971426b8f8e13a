// Compactions give way to what clients wait for, as other work of low priority does (ThreadPool),
// but not to every other process of the machine: RocksDB's own lowest priority does, and where
// others keep the processors busy for minutes, tables pile up until writes have to wait for them.
// Internal to storage/.
#pragma once

#include <memory>

namespace rocksdb {
class EventListener;
}

namespace orrery::storage {

// Lowers the priority of each thread that compacts, when it begins to. One for all engines.
std::shared_ptr<rocksdb::EventListener> MakeCompactionPriority();

}  // namespace orrery::storage
