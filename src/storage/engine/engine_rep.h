// What an Engine is made of. Internal to storage/.
#pragma once

#include <rocksdb/db.h>

#include <memory>

#include "storage/engine/engine.h"
#include "storage/engine/write_turns.h"
#include "storage/log/write_fuse.h"
#include "storage/resources_rep.h"
#include "storage/rules_rep.h"

namespace orrery::storage {

struct Engine::Rep {
  Rep(EngineResources::Rep& shared, EngineOptions given)
      : resources(shared), options(std::move(given)) {
    cached_read.read_tier = rocksdb::kBlockCacheTier;
    durable_write.sync = true;
    if (options.keep_rule != nullptr) filter = std::make_unique<KeepRuleFilter>(*options.keep_rule);
  }

  // Constant once the engine is open.
  EngineResources::Rep& resources;  // must outlive the engine
  const EngineOptions options;
  // Made once: a ReadOptions is large enough to be seen in the cost of a cached read.
  rocksdb::ReadOptions cached_read;
  const rocksdb::ReadOptions blocking_read;
  rocksdb::WriteOptions durable_write;
  const rocksdb::WriteOptions os_write;
  std::unique_ptr<KeepRuleFilter> filter;  // null without a KeepRule; used by `db`
  WriteFuse fuse;
  WriteTurns turns;
  std::unique_ptr<rocksdb::DB> db;
};

}  // namespace orrery::storage
