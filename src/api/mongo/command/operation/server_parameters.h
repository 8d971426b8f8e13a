// ServerParameters are what getParameter shows and setParameter changes: those of mongod's that
// tools and test suites ask for.
//
// internalQueryMaxBlockingSortMemoryUsageBytes and internalDocumentSourceGroupMaxMemoryBytes bound
// the memory of a blocking stage, ttlMonitorEnabled stops the expiry of documents; the others are
// kept and have no effect. Values are those of this node until it ends. Thread-safe.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "api/mongo/error/mongo_error.h"
#include "base/mutex.h"
#include "model/value.h"

namespace orrery::mongo {

struct ParameterInfo {
  std::string_view name;
  model::Value value;
  bool is_settable = false;  // while the server runs
};

class ServerParameters {
 public:
  ServerParameters();

  // In the order of their names.
  std::vector<ParameterInfo> List() const EXCLUDES(mutex_);
  // Undefined if there is none of that name.
  model::Value Get(std::string_view name) const EXCLUDES(mutex_);
  // Returns the former value. kInvalidOptions for an unknown one and for one that cannot be
  // changed, kBadValue for a value that does not fit.
  Answer<model::Value> Set(std::string_view name, const model::Value& value) EXCLUDES(mutex_);

  // The bytes of one blocking stage before it spills or fails.
  size_t stage_memory_bytes_max() const EXCLUDES(mutex_);
  bool expires_documents() const { return Get("ttlMonitorEnabled") == model::Value::Bool(true); }

 private:
  mutable Mutex mutex_;
  std::map<std::string, model::Value, std::less<>> values_ GUARDED_BY(mutex_);
};

}  // namespace orrery::mongo
