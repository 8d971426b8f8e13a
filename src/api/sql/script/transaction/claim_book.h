// A ClaimBook keeps what the documents that a script has written claim for themselves (unique
// keys), so that a clash shows at the call that makes it and not when the script commits.
//
// What the script's own writes have given up is free, whoever has it in the store. Nothing is
// locked: the commit decides again.
//
// For one thread. Calls block.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/status.h"
#include "gateway/gateway.h"
#include "model/document/document.h"

namespace orrery::sql {

class ClaimBook {
 public:
  // All must outlive it.
  ClaimBook(const gateway::Gateway& gateway, const Clock& clock,
            const gateway::ContainerEntry& container, const gateway::RoutedKey& key)
      : gateway_(gateway), clock_(clock), container_(container), key_(key) {}

  // What a document takes the place of: its own last version, or a document with another id.
  struct Former {
    const std::string& row_key;
    const model::Document& document;
  };

  // The document takes the place of `former` (may be null). kAlreadyExists when another document
  // has one of its unique keys, kInvalidArgument when its ttl is none: then nothing has changed.
  Status Put(const std::string& row_key, model::DocumentView document, const Former* former);
  void Remove(const std::string& row_key, const model::Document& former);

 private:
  // Whether the document of that row key can have the claim, when what `former` has is given up.
  Result<bool> IsFree(const std::string& claim, const std::string& row_key,
                      const Former* former) const;
  void Release(const std::string& row_key, const model::Document& former);

  const gateway::Gateway& gateway_;
  const Clock& clock_;
  const gateway::ContainerEntry& container_;
  const gateway::RoutedKey& key_;
  std::map<std::string, std::string> held_;  // by the script's writes: claim to row key
  std::set<std::string> released_;           // by them, from what is stored
};

}  // namespace orrery::sql
