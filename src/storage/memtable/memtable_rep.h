// The memtable that RocksDB uses: an EntryList instead of its own skip list.
//
// Debian's RocksDB is built with assertions, and those of its skip list compare each key two or
// three times more; each comparison is a virtual call that takes both keys apart, and reads a node
// between two values. Here a comparison is of two numbers that lie in the node. Internal to
// storage/.
//
// For databases with the bytewise comparator, without user-defined timestamps, and with
// allow_concurrent_memtable_write off: RocksDB refuses to open others with it where it can tell,
// and a memtable of another order ends the process when it is made.
#pragma once

#include <memory>

namespace rocksdb {
class MemTableRepFactory;
}

namespace orrery::storage {

std::shared_ptr<rocksdb::MemTableRepFactory> MakeMemtableFactory();

}  // namespace orrery::storage
