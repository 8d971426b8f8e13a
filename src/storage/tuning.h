// Every RocksDB setting of an engine, with its reason. Internal to storage/.
#pragma once

#include "storage/engine/engine.h"
#include "storage/resources.h"

namespace rocksdb {
class CompactionFilter;
struct Options;
}  // namespace rocksdb

namespace orrery::storage {

class WriteCircuitBreaker;

// `filter` may be null, else must outlive the engine, as `breaker` must.
rocksdb::Options MakeOptions(const EngineResources::Rep& resources, const EngineOptions& options,
                             const rocksdb::CompactionFilter* filter, WriteCircuitBreaker& breaker);

}  // namespace orrery::storage
