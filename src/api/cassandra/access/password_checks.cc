#include "api/cassandra/access/password_checks.h"

#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>

#include "api/cassandra/access/password.h"
#include "base/bytes.h"
#include "base/check.h"

namespace orrery::cassandra {

PasswordChecks::PasswordChecks(const Clock& clock) : clock_(clock) {
  ORRERY_CHECK(RAND_bytes(secret_.data(), static_cast<int>(secret_.size())) == 1);
}

bool PasswordChecks::Matches(std::string_view password, const std::string& salted_hash) {
  const std::string key = KeyOf(password, salted_hash);
  {
    MutexLock lock(mutex_);
    Forget(clock_.Monotonic(), kRememberedMax);
    if (until_.contains(key)) return true;
  }
  if (!PasswordMatches(password, salted_hash)) return false;
  MutexLock lock(mutex_);
  const Micros now = clock_.Monotonic();
  Forget(now, kRememberedMax - 1);
  // Another thread may have found the same meanwhile.
  if (until_.emplace(key, now + kRememberedFor).second) oldest_first_.push_back(key);
  return true;
}

size_t PasswordChecks::remembered() const {
  MutexLock lock(mutex_);
  return until_.size();
}

std::string PasswordChecks::KeyOf(std::string_view password, const std::string& salted_hash) const {
  std::string text;
  AppendLengthPrefixed(text, salted_hash);
  AppendLengthPrefixed(text, password);
  std::string key(EVP_MAX_MD_SIZE, '\0');
  unsigned int size = 0;
  const unsigned char* const made =
      HMAC(EVP_sha256(), secret_.data(), static_cast<int>(secret_.size()),
           reinterpret_cast<const unsigned char*>(text.data()), text.size(),
           reinterpret_cast<unsigned char*>(key.data()), &size);
  ORRERY_CHECK(made != nullptr);
  OPENSSL_cleanse(text.data(), text.size());
  key.resize(size);
  return key;
}

void PasswordChecks::Forget(Micros now, size_t size_max) {
  while (!oldest_first_.empty()) {
    const auto found = until_.find(oldest_first_.front());
    ORRERY_CHECK(found != until_.end());
    if (found->second > now && until_.size() <= size_max) return;
    until_.erase(found);
    oldest_first_.pop_front();
  }
}

}  // namespace orrery::cassandra
