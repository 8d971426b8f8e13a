// The UserDirectory knows who may log in: the server's account with its keys, on every database,
// and the users that were created.
//
// Users are kept in the `extra` of the catalog's database "admin": {mongo: {users: [...]}}, with
// what proves their passwords and never the passwords. On a cluster every node sees them.
//
// Thread-safe. Finding an account's secret for the first time takes milliseconds.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/mongo/access/principal.h"
#include "api/mongo/access/scram.h"
#include "api/mongo/error/mongo_error.h"
#include "base/mutex.h"
#include "gateway/gateway.h"

namespace orrery::mongo {

struct UserRecord {
  Principal who;
  model::Value user_id;                // a uuid
  std::array<ScramSecret, 2> secrets;  // by ScramMechanism; without keys: not for this mechanism
  std::optional<model::Document> custom_data = {};
};

// The proof that a client which claims to be a user must give.
struct Challenge {
  std::string salt;
  uint32_t iterations = kScramIterationsMin;
};

class UserDirectory {
 public:
  // `random_bytes` returns so many bytes that nobody can guess. The gateway must outlive it.
  UserDirectory(gateway::Gateway& gateway, gateway::AccountKeys keys,
                std::function<std::string(size_t)> random_bytes);

  // Of nobody too: whether a user exists is not told.
  Challenge ChallengeFor(ScramMechanism mechanism, std::string_view user,
                         std::string_view database) const;
  // Returns the user if the conversation's last message proves it, with the server's last message.
  struct Proven {
    Principal who;
    std::string answer;
  };
  std::optional<Proven> Verify(const ScramConversation& conversation, std::string_view user,
                               std::string_view database, std::string_view payload) const
      EXCLUDES(mutex_);
  // The names of the mechanisms that the user can log in with.
  std::vector<std::string> MechanismsOf(std::string_view user, std::string_view database) const;

  std::vector<UserRecord> List() const;
  std::optional<UserRecord> Find(std::string_view user, std::string_view database) const;
  // Makes the secrets of a password. kBadValue for one that is not allowed.
  Answer<std::array<ScramSecret, 2>> SecretsOf(std::string_view user,
                                               std::string_view password) const;
  // Changes the list of users; again if another change was faster.
  Outcome Change(const std::function<Outcome(std::vector<UserRecord>&)>& change);

 private:
  bool IsAccount(std::string_view user) const { return user == keys_.account; }
  const ScramSecret& AccountSecret(ScramMechanism mechanism, bool read_only) const REQUIRES(mutex_);

  gateway::Gateway& gateway_;
  const gateway::AccountKeys keys_;
  const std::function<std::string(size_t)> random_bytes_;
  const std::string salt_secret_;  // of challenges to nobody
  const std::array<std::string, 2> account_salts_;

  mutable Mutex mutex_;
  // By mechanism and whether they are those of read-only keys; made when they are asked for.
  mutable std::array<std::array<std::optional<ScramSecret>, 2>, 2> account_ GUARDED_BY(mutex_);
};

}  // namespace orrery::mongo
