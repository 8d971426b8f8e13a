// The partition key of a container, as clients define it:
//
//   {"paths":["/deviceId"],"kind":"Hash","version":2}             version 1 when it is not said
//   {"paths":["/tenant","/user"],"kind":"MultiHash","version":2}  a hierarchy
//   {"paths":["/_partitionKey"],"kind":"Hash","systemKey":true}   none: the key that is the
//   system's
//
// Pure.
#pragma once

#include "base/status.h"
#include "gateway/catalog/container_settings.h"
#include "model/value.h"

namespace orrery::sql {

// Sets paths and hashing. kInvalidArgument says what is wrong; what paths may look like is checked
// by the catalog.
Status ReadPartitionKey(const model::Value& json, gateway::ContainerSettings& settings);

// Of a container without a key: the system's.
model::Value SeenPartitionKey(const gateway::ContainerSettings& settings);

}  // namespace orrery::sql
