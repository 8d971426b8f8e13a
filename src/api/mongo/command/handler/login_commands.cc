// saslStart, saslContinue, logout, and what else belongs to a login.
#include <fmt/format.h>

#include <algorithm>

#include "api/mongo/command/command_table.h"
#include "api/mongo/command/fields.h"
#include "api/mongo/command/handler/login.h"
#include "gateway/account/base64.h"

namespace orrery::mongo {
namespace {

constexpr size_t kNonceBytes = 24;

std::unexpected<MongoError> LoginFailed(CommandContext& context) {
  context.client->login.reset();
  return Refuse(ErrorCode::kAuthenticationFailed, "Authentication failed.");
}

// A payload comes as binary, or as text in base64.
std::optional<std::string> PayloadOf(model::DocumentView arguments) {
  const model::Value value = arguments.Get("payload");
  if (value.kind() == model::Kind::kBinary) return value.AsBytes();
  std::string bytes;
  if (value.kind() == model::Kind::kString && gateway::FromBase64(value.AsString(), bytes))
    return bytes;
  return std::nullopt;
}

model::DocumentBuilder Step(const Login& login, bool is_done, std::string payload) {
  model::DocumentBuilder reply;
  reply.AppendInt32("conversationId", login.number).AppendBool("done", is_done);
  reply.Append("payload", model::Value::Binary(std::move(payload)));
  return reply;
}

void LetIn(CommandContext& context, Principal who) {
  std::vector<Principal>& principals = context.client->principals;
  // One user of each database.
  std::erase_if(principals, [&](const Principal& other) { return other.database == who.database; });
  principals.push_back(std::move(who));
  context.client->login.reset();
}

CommandReply SaslStart(CommandContext& context) { return StartLogin(context, context.body()); }
CommandReply SaslContinue(CommandContext& context) {
  return ContinueLogin(context, context.body());
}

CommandReply Logout(CommandContext& context) {
  std::erase_if(context.client->principals,
                [&](const Principal& who) { return who.database == context.database(); });
  return model::DocumentBuilder();
}

CommandReply GetNonce(CommandContext& context) {
  model::DocumentBuilder reply;
  reply.AppendString("nonce", fmt::format("{:016x}", context.services.random()));
  return reply;
}

CommandReply ConnectionStatus(CommandContext& context) {
  model::DocumentBuilder reply;
  reply.OpenObject("authInfo").OpenArray("authenticatedUsers");
  const std::vector<Principal>& principals = context.client->principals;
  for (size_t i = 0; i < principals.size(); ++i) {
    reply.OpenObject(std::to_string(i)).AppendString("user", principals[i].user);
    reply.AppendString("db", principals[i].database).Close();
  }
  reply.Close().OpenArray("authenticatedUserRoles");
  size_t i = 0;
  for (const Principal& principal : principals) {
    for (const RoleGrant& role : principal.roles) {
      reply.OpenObject(std::to_string(i++)).AppendString("role", role.role);
      reply.AppendString("db", role.database).Close();
    }
  }
  reply.Close();
  MONGO_ASSIGN(const bool shows_privileges,
               Fields(context.body(), "connectionStatus").Flag("showPrivileges"));
  if (shows_privileges) reply.OpenArray("authenticatedUserPrivileges").Close();
  reply.Close();
  return reply;
}

}  // namespace

CommandReply StartLogin(CommandContext& context, model::DocumentView arguments) {
  const Fields fields(arguments, "saslStart");
  MONGO_ASSIGN(const std::string name, fields.RequiredText("mechanism"));
  const auto mechanism = ScramMechanismNamed(name);
  if (!mechanism.has_value()) {
    return Refuse(
        ErrorCode::kMechanismUnavailable,
        fmt::format("Received authentication for mechanism {} which is not enabled", name));
  }
  const auto payload = PayloadOf(arguments);
  const auto first = payload.has_value() ? ReadScramFirst(*payload) : std::nullopt;
  if (!first.has_value()) return LoginFailed(context);
  MONGO_ASSIGN(std::optional<std::string> database, fields.Text("db"));
  const std::string whose = database.value_or(context.database());
  const Challenge challenge = context.services.users.ChallengeFor(*mechanism, first->user, whose);
  const std::string nonce = gateway::ToBase64(context.services.random_bytes(kNonceBytes));
  const auto options = arguments.Find("options");
  const auto skip = options.has_value() && options->kind() == model::Kind::kObject
                        ? options->AsDocument().Find("skipEmptyExchange")
                        : std::nullopt;
  context.client->login.emplace(
      Login{.user = first->user,
            .database = whose,
            .conversation =
                ScramConversation(*mechanism, *first, nonce, challenge.salt, challenge.iterations),
            .skips_empty_exchange = skip.has_value() && AsFlag(*skip).value_or(false)});
  return Step(*context.client->login, false, context.client->login->conversation.challenge());
}

CommandReply ContinueLogin(CommandContext& context, model::DocumentView arguments) {
  std::optional<Login>& login = context.client->login;
  if (!login.has_value()) return Refuse(ErrorCode::kProtocolError, "No SASL session state found");
  MONGO_ASSIGN(const std::optional<int64_t> number,
               Fields(arguments, "saslContinue").Integer("conversationId"));
  const auto payload = PayloadOf(arguments);
  if (number != login->number || !payload.has_value()) return LoginFailed(context);
  if (login->proven.has_value()) {
    model::DocumentBuilder reply = Step(*login, true, "");
    LetIn(context, *std::move(login->proven));
    return reply;
  }
  auto proven =
      context.services.users.Verify(login->conversation, login->user, login->database, *payload);
  if (!proven.has_value()) return LoginFailed(context);
  model::DocumentBuilder reply =
      Step(*login, login->skips_empty_exchange, std::move(proven->answer));
  if (login->skips_empty_exchange) {
    LetIn(context, std::move(proven->who));
  } else {
    login->proven = std::move(proven->who);
  }
  return reply;
}

std::vector<CommandEntry> LoginCommands() {
  return {{.name = "saslStart", .action = Action::kNothing, .handler = SaslStart},
          {.name = "saslContinue", .action = Action::kNothing, .handler = SaslContinue},
          {.name = "logout", .action = Action::kNothing, .handler = Logout, .on_loop = true},
          {.name = "getnonce", .action = Action::kNothing, .handler = GetNonce, .on_loop = true},
          {.name = "connectionStatus",
           .action = Action::kNothing,
           .handler = ConnectionStatus,
           .on_loop = true}};
}

}  // namespace orrery::mongo
