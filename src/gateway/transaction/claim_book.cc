#include "gateway/transaction/claim_book.h"

#include <utility>
#include <vector>

#include "gateway/transaction/unique_claims.h"

namespace orrery::gateway {

Status ClaimBook::Put(const std::string& row_key, model::DocumentView document,
                      const Former* former) {
  ORRERY_ASSIGN(std::vector<std::string> claims, ClaimsOf(*container_, key_, document));
  for (const std::string& claim : claims) {
    ORRERY_ASSIGN(const bool is_free, IsFree(claim, row_key, former));
    if (!is_free) {
      return Fail(Code::kAlreadyExists,
                  "Unique index constraint violation: another document of the partition key has "
                  "the same values");
    }
  }
  if (former != nullptr) Release(former->row_key, former->document);
  for (std::string& claim : claims) held_[std::move(claim)] = row_key;
  return {};
}

void ClaimBook::Remove(const std::string& row_key, const model::Document& former) {
  Release(row_key, former);
}

Result<bool> ClaimBook::IsFree(const std::string& claim, const std::string& row_key,
                               const Former* former) const {
  const auto is_ours = [&](const std::string& holder) {
    return holder == row_key || (former != nullptr && holder == former->row_key);
  };
  if (const auto held = held_.find(claim); held != held_.end()) return is_ours(held->second);
  if (released_.contains(claim)) return true;
  ORRERY_ASSIGN(const auto holder, gateway_.HolderOf(container_, key_, claim));
  return !holder.has_value() || is_ours(*holder);
}

void ClaimBook::Release(const std::string& row_key, const model::Document& former) {
  // The stored document was checked when it was written; claims that cannot be computed now stay
  // taken.
  const auto claims = ClaimsOf(*container_, key_, former);
  if (!claims.has_value()) return;
  for (const std::string& claim : *claims) {
    if (const auto held = held_.find(claim); held != held_.end() && held->second == row_key)
      held_.erase(held);
    released_.insert(claim);
  }
}

}  // namespace orrery::gateway
