// MongoServices are what the handlers of commands work with: made once at start, shared by all
// connections. Everything referred to outlives them. Thread-safe.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "api/mongo/access/user_directory.h"
#include "api/mongo/catalog/collection_catalog.h"
#include "api/mongo/command/session/session_registry.h"
#include "base/clock.h"
#include "base/delay_queue.h"
#include "gateway/gateway.h"
#include "query/cursor/cursor_registry.h"
#include "query/operator/spill_space.h"
#include "script/worker_pool.h"

namespace orrery::mongo {

// The version that clients are told: what of MongoDB the server follows.
inline constexpr std::string_view kMongoVersion = "7.0.14";
inline constexpr int32_t kWireVersionMax = 21;
inline constexpr int32_t kWriteBatchMax = 100'000;
inline constexpr size_t kMongoConnectionsMax = 32'768;  // on each port

struct MongoOptions {
  std::string set_name = "globaldb";
  std::string advertise;  // "host": where clients reach this node; empty: where they connected to
  // Whoever reaches the port may do everything, without credentials.
  bool trust_local = false;
  std::string server_version;  // of this program
  bool strict_cosmos = false;  // refuse what Azure Cosmos DB for MongoDB refuses
};

class RoleDirectory;
class OperationRegistry;
class OperationCounters;
class IndexUses;
class Profiler;
class ServerParameters;

struct MongoServices {
  gateway::Gateway& gateway;
  const Clock& clock;
  CollectionCatalog& collections;
  UserDirectory& users;
  RoleDirectory& roles;
  query::CursorRegistry& cursors;
  SessionRegistry& sessions;
  OperationRegistry& operations;
  OperationCounters& counters;
  std::function<uint64_t()> random;                 // bits that nobody can guess
  std::function<std::string(size_t)> random_bytes;  // the same as bytes
  MongoOptions options;
  Micros started{0};  // by the monotonic clock
  // Names this run of the server: clients that know it have seen all there is to see of it.
  model::ObjectIdBytes process_id = {};
  // For hellos that are answered later; null, or full: they are answered at once.
  DelayQueue* waits = nullptr;
  // For the JavaScript of users; null: it is refused.
  script::WorkerPool* scripts = nullptr;
  // For rows that memory does not hold; null: sorts fail beyond it.
  query::SpillSpace* spill = nullptr;

  // Told of the indexes that are read; null: nobody counts them.
  IndexUses* index_uses = nullptr;
  // Null: nothing is profiled; all parameters are as at the start.
  Profiler* profiler = nullptr;
  ServerParameters* parameters = nullptr;

  int64_t now_ms() const {
    return std::chrono::duration_cast<std::chrono::milliseconds>(clock.Now()).count();
  }
};

// A new ObjectId: seconds, then what no other process makes.
model::ObjectIdBytes NewObjectId(const MongoServices& services);

}  // namespace orrery::mongo
