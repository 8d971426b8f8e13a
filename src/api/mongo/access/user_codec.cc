#include "api/mongo/access/user_codec.h"

#include <utility>

#include "model/document/document_builder.h"

namespace orrery::mongo {
namespace {

constexpr std::string_view kExtraName = "mongo";

std::string TextAt(model::DocumentView document, std::string_view name) {
  const auto found = document.Find(name);
  return found.has_value() && found->kind() == model::Kind::kString ? std::string(found->AsString())
                                                                    : std::string();
}

std::string BytesAt(model::DocumentView document, std::string_view name) {
  const model::Value value = document.Get(name);
  return value.kind() == model::Kind::kBinary ? value.AsBytes() : std::string();
}

ScramSecret ReadSecret(model::DocumentView entry) {
  ScramSecret secret;
  secret.salt = BytesAt(entry, "salt");
  if (secret.salt.empty()) return secret;
  const model::Value iterations = entry.Get("iterations");
  if (iterations.kind() == model::Kind::kInt32)
    secret.iterations = static_cast<uint32_t>(iterations.AsInteger());
  secret.keys.push_back(
      {.stored_key = BytesAt(entry, "storedKey"), .server_key = BytesAt(entry, "serverKey")});
  return secret;
}

UserRecord ReadUser(model::DocumentView entry) {
  UserRecord record;
  record.who.user = TextAt(entry, "user");
  record.who.database = TextAt(entry, "db");
  record.user_id = entry.Get("userId");
  if (const auto roles = entry.Find("roles"); roles && roles->kind() == model::Kind::kArray) {
    for (const model::ElementView role : roles->AsDocument()) {
      if (role.kind() != model::Kind::kObject) continue;
      record.who.roles.push_back(
          {TextAt(role.AsDocument(), "role"), TextAt(role.AsDocument(), "db")});
    }
  }
  if (const auto data = entry.Find("customData"); data && data->kind() == model::Kind::kObject)
    record.custom_data = model::Document::Trusted(std::string(data->AsDocument().bson()));
  if (const auto scram = entry.Find("scram"); scram && scram->kind() == model::Kind::kArray) {
    size_t i = 0;
    for (const model::ElementView secret : scram->AsDocument()) {
      if (i == record.secrets.size() || secret.kind() != model::Kind::kObject) break;
      record.secrets[i++] = ReadSecret(secret.AsDocument());
    }
  }
  return record;
}

void AppendUser(model::DocumentBuilder& builder, const UserRecord& user) {
  builder.AppendString("user", user.who.user).AppendString("db", user.who.database);
  builder.Append("userId", user.user_id).OpenArray("roles");
  for (size_t i = 0; i < user.who.roles.size(); ++i) {
    builder.OpenObject(std::to_string(i)).AppendString("role", user.who.roles[i].role);
    builder.AppendString("db", user.who.roles[i].database).Close();
  }
  builder.Close();
  if (user.custom_data.has_value()) builder.AppendDocument("customData", *user.custom_data);
  builder.OpenArray("scram");
  for (size_t i = 0; i < user.secrets.size(); ++i) {
    builder.OpenObject(std::to_string(i));
    if (const ScramSecret& secret = user.secrets[i]; !secret.keys.empty()) {
      builder.Append("salt", model::Value::Binary(secret.salt));
      builder.AppendInt32("iterations", static_cast<int32_t>(secret.iterations));
      builder.Append("storedKey", model::Value::Binary(secret.keys.front().stored_key));
      builder.Append("serverKey", model::Value::Binary(secret.keys.front().server_key));
    }
    builder.Close();
  }
  builder.Close();
}

}  // namespace

std::vector<UserRecord> ReadUsers(const std::optional<model::Document>& extra) {
  std::vector<UserRecord> users;
  const auto kept = extra.has_value() ? extra->view().Find(kExtraName) : std::nullopt;
  if (!kept.has_value() || kept->kind() != model::Kind::kObject) return users;
  const auto list = kept->AsDocument().Find("users");
  if (!list.has_value() || list->kind() != model::Kind::kArray) return users;
  for (const model::ElementView entry : list->AsDocument()) {
    if (entry.kind() == model::Kind::kObject) users.push_back(ReadUser(entry.AsDocument()));
  }
  return users;
}

model::Document WithUsers(const std::optional<model::Document>& extra,
                          const std::vector<UserRecord>& users) {
  model::DocumentBuilder builder;
  const model::DocumentView former = extra.has_value() ? extra->view() : model::DocumentView();
  for (const model::ElementView field : former) {
    if (field.name() != kExtraName) builder.Append(field.name(), field);
  }
  builder.OpenObject(kExtraName);
  if (const auto kept = former.Find(kExtraName); kept && kept->kind() == model::Kind::kObject) {
    for (const model::ElementView field : kept->AsDocument()) {
      if (field.name() != "users") builder.Append(field.name(), field);
    }
  }
  builder.OpenArray("users");
  for (size_t i = 0; i < users.size(); ++i) {
    builder.OpenObject(std::to_string(i));
    AppendUser(builder, users[i]);
    builder.Close();
  }
  builder.Close().Close();
  return std::move(builder).Finish();
}

}  // namespace orrery::mongo
