#include "api/mongo/access/user_directory.h"

#include <utility>

#include "api/mongo/access/user_codec.h"
#include "api/mongo/error/error_map.h"
#include "gateway/account/hmac.h"

namespace orrery::mongo {
namespace {

constexpr std::string_view kUserDatabase = "admin";
// Account keys are long and random; passwords are not.
constexpr uint32_t kPasswordIterations[] = {10'000, 15'000};  // by ScramMechanism
constexpr size_t kSaltBytes[] = {16, kScramSaltBytes};
constexpr int kChangesMax = 16;

size_t IndexOf(ScramMechanism mechanism) { return static_cast<size_t>(mechanism); }

}  // namespace

UserDirectory::UserDirectory(gateway::Gateway& gateway, gateway::AccountKeys keys,
                             std::function<std::string(size_t)> random_bytes)
    : gateway_(gateway),
      keys_(std::move(keys)),
      random_bytes_(std::move(random_bytes)),
      salt_secret_(random_bytes_(32)),
      account_salts_{random_bytes_(kSaltBytes[0]), random_bytes_(kSaltBytes[1])} {}

Challenge UserDirectory::ChallengeFor(ScramMechanism mechanism, std::string_view user,
                                      std::string_view database) const {
  const size_t index = IndexOf(mechanism);
  if (IsAccount(user)) return {account_salts_[index], kScramIterationsMin};
  if (const auto found = Find(user, database);
      found.has_value() && !found->secrets[index].keys.empty())
    return {found->secrets[index].salt, found->secrets[index].iterations};
  const std::string made =
      gateway::HmacSha256(salt_secret_, std::string(database) + '.' + std::string(user));
  return {made.substr(0, kSaltBytes[index]), kPasswordIterations[index]};
}

const ScramSecret& UserDirectory::AccountSecret(ScramMechanism mechanism, bool read_only) const {
  const size_t index = IndexOf(mechanism);
  std::optional<ScramSecret>& secret = account_[index][read_only ? 1 : 0];
  if (secret.has_value()) return *secret;
  secret.emplace(ScramSecret{.salt = account_salts_[index]});
  const std::string* const keys[2][2] = {{&keys_.primary, &keys_.secondary},
                                         {&keys_.primary_read_only, &keys_.secondary_read_only}};
  for (const std::string* key : keys[read_only ? 1 : 0]) {
    if (key->empty()) continue;
    auto derived =
        DeriveScramKeys(mechanism, keys_.account, *key, secret->salt, secret->iterations);
    if (derived.has_value()) secret->keys.push_back(*std::move(derived));
  }
  return *secret;
}

std::optional<UserDirectory::Proven> UserDirectory::Verify(const ScramConversation& conversation,
                                                           std::string_view user,
                                                           std::string_view database,
                                                           std::string_view payload) const {
  if (!IsAccount(user)) {
    const auto found = Find(user, database);
    if (!found.has_value()) return std::nullopt;
    auto answer = conversation.Verify(payload, found->secrets[IndexOf(conversation.mechanism())]);
    if (!answer.has_value()) return std::nullopt;
    return Proven{found->who, *std::move(answer)};
  }
  MutexLock lock(mutex_);
  for (const bool read_only : {false, true}) {
    auto answer = conversation.Verify(payload, AccountSecret(conversation.mechanism(), read_only));
    if (!answer.has_value()) continue;
    Principal who{.user = std::string(user), .database = std::string(database)};
    who.roles.push_back({read_only ? "readAnyDatabase" : "root", "admin"});
    return Proven{std::move(who), *std::move(answer)};
  }
  return std::nullopt;
}

std::vector<std::string> UserDirectory::MechanismsOf(std::string_view user,
                                                     std::string_view database) const {
  std::vector<std::string> names;
  const auto found = IsAccount(user) ? std::nullopt : Find(user, database);
  for (const ScramMechanism one : {ScramMechanism::kSha1, ScramMechanism::kSha256}) {
    if (IsAccount(user) || (found.has_value() && !found->secrets[IndexOf(one)].keys.empty()))
      names.emplace_back(ScramMechanismName(one));
  }
  return names;
}

std::vector<UserRecord> UserDirectory::List() const {
  const gateway::DatabaseRef admin = gateway_.catalog().snapshot()->Database(kUserDatabase);
  return admin == nullptr ? std::vector<UserRecord>() : ReadUsers(admin->extra);
}

std::optional<UserRecord> UserDirectory::Find(std::string_view user,
                                              std::string_view database) const {
  for (UserRecord& record : List()) {
    if (record.who.user == user && record.who.database == database) return std::move(record);
  }
  return std::nullopt;
}

Answer<std::array<ScramSecret, 2>> UserDirectory::SecretsOf(std::string_view user,
                                                            std::string_view password) const {
  std::array<ScramSecret, 2> secrets;
  for (const ScramMechanism one : {ScramMechanism::kSha1, ScramMechanism::kSha256}) {
    ScramSecret& secret = secrets[IndexOf(one)];
    secret.salt = random_bytes_(kSaltBytes[IndexOf(one)]);
    secret.iterations = kPasswordIterations[IndexOf(one)];
    auto keys = DeriveScramKeys(one, user, password, secret.salt, secret.iterations);
    if (!keys.has_value()) return Refuse(ErrorCode::kBadValue, keys.error().message());
    secret.keys.push_back(*std::move(keys));
  }
  return secrets;
}

Outcome UserDirectory::Change(const std::function<Outcome(std::vector<UserRecord>&)>& change) {
  gateway::Catalog& catalog = gateway_.catalog();
  for (int i = 0; i < kChangesMax; ++i) {
    auto admin = catalog.FindDatabase(kUserDatabase);
    if (!admin.has_value()) {
      const auto made = catalog.CreateDatabase(std::string(kUserDatabase), {});
      if (!made.has_value() && made.error().code() != Code::kAlreadyExists)
        return Refuse(made.error());
      continue;
    }
    std::vector<UserRecord> users = ReadUsers(admin->extra);
    MONGO_TRY(change(users));
    const auto updated =
        catalog.UpdateDatabase(kUserDatabase, WithUsers(admin->extra, users), &*admin);
    if (updated.has_value()) return {};
    if (updated.error().code() != Code::kPreconditionFailed) return Refuse(updated.error());
  }
  return Refuse(ErrorCode::kWriteConflict, "the users are being changed by others");
}

}  // namespace orrery::mongo
