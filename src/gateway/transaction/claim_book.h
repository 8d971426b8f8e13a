// A ClaimBook tracks the unique keys that a transaction's uncommitted documents claim, so that a
// violation is reported by the call that causes it and not only at the commit.
//
// A claim that the transaction's own writes have released is free, whoever holds it in the store.
// Nothing is locked: the commit decides again.
//
// For one thread. Calls block.
#pragma once

#include <map>
#include <set>
#include <string>

#include "base/status.h"
#include "gateway/gateway.h"
#include "model/document/document.h"

namespace orrery::gateway {

class ClaimBook {
 public:
  // All must outlive it.
  ClaimBook(Gateway& gateway, const ContainerRef& container, const RoutedKey& key)
      : gateway_(gateway), container_(container), key_(key) {}

  // The document that another one takes the place of: its own last version, or a document with
  // another row key.
  struct Former {
    const std::string& row_key;
    const model::Document& document;
  };

  // Moves the claims of `former` (may be null) to the document. kAlreadyExists when another
  // document holds one of its unique keys, kInvalidArgument when its ttl is invalid: then nothing
  // has changed.
  Status Put(const std::string& row_key, model::DocumentView document, const Former* former);
  void Remove(const std::string& row_key, const model::Document& former);

 private:
  // Returns whether the document of that row key can have the claim once `former` is released.
  Result<bool> IsFree(const std::string& claim, const std::string& row_key,
                      const Former* former) const;
  void Release(const std::string& row_key, const model::Document& former);

  Gateway& gateway_;
  const ContainerRef& container_;
  const RoutedKey& key_;
  std::map<std::string, std::string> held_;  // by uncommitted writes: claim to row key
  std::set<std::string> released_;           // by them, of what is stored
};

}  // namespace orrery::gateway
