// Validates a container's `clientEncryptionPolicy`: which of its properties clients encrypt, with
// which keys of its database. The server itself encrypts nothing.
//
//   policy := {"includedPaths": [ {"path", "clientEncryptionKeyId", "encryptionType",
//                                  "encryptionAlgorithm"} ], "policyFormatVersion": 1 or 2}
//
// Pure.
#pragma once

#include <string>
#include <vector>

#include "api/sql/encryption/encryption_keys.h"
#include "base/status.h"
#include "model/value.h"

namespace orrery::sql {

// kInvalidArgument says what is wrong. An absent policy is in order.
Status CheckEncryptionPolicy(const model::Value& policy, const EncryptionKeys& keys,
                             const std::vector<std::string>& partition_key_paths);

}  // namespace orrery::sql
