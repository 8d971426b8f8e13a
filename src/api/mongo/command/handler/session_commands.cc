// Logical sessions: startSession, refreshSessions, endSessions and the commands that kill.
//
// A session is an id that clients choose. The server notes when it was used, and ends its cursors
// with it; what its retryable writes have done is stored beside the documents.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "api/mongo/command/command_table.h"
#include "api/mongo/command/fields.h"
#include "api/mongo/command/operation/operation_registry.h"
#include "api/mongo/command/session/session_arguments.h"

namespace orrery::mongo {
namespace {

constexpr size_t kSessionsAtOnceMax = 10'000;

CommandReply StartSession(CommandContext& context) {
  std::string id = context.services.random_bytes(kSessionIdBytes);
  id[6] = static_cast<char>((id[6] & 0x0f) | 0x40);
  id[8] = static_cast<char>((id[8] & 0x3f) | 0x80);
  MONGO_TRY(context.services.sessions.Use(id + UserDigest(context.client->owner()), std::nullopt));
  model::DocumentBuilder reply;
  reply.OpenObject("id").Append("id", model::Value::Binary(std::move(id), 4)).Close();
  reply.AppendInt32("timeoutMinutes", kSessionTimeoutMinutes);
  return reply;
}

// The elements of the list that is the command's own value.
Answer<std::vector<model::DocumentView>> ListOf(const CommandContext& context) {
  const model::ElementView target = context.command.target();
  const std::string field = fmt::format("{0}.{0}", context.command.name());
  const auto wrong = [&](const model::ElementView& found, std::string_view expected) {
    return Refuse(ErrorCode::kTypeMismatch,
                  fmt::format("BSON field '{}' is the wrong type '{}', expected type '{}'", field,
                              TypeNameOf(found), expected));
  };
  if (target.kind() != model::Kind::kArray) return wrong(target, "array");
  std::vector<model::DocumentView> list;
  for (const model::ElementView entry : target.AsDocument()) {
    if (entry.kind() != model::Kind::kObject) return wrong(entry, "object");
    if (list.size() == kSessionsAtOnceMax) {
      return Refuse(
          ErrorCode::kInvalidLength,
          fmt::format("{} takes at most {} sessions", context.command.name(), kSessionsAtOnceMax));
    }
    list.push_back(entry.AsDocument());
  }
  return list;
}

Answer<std::vector<std::string>> SessionsOf(const CommandContext& context) {
  MONGO_ASSIGN(const std::vector<model::DocumentView> list, ListOf(context));
  std::vector<std::string> sessions;
  for (const model::DocumentView entry : list) {
    MONGO_ASSIGN(std::string session,
                 ReadSessionId(context, entry, fmt::format("{}.sessions", context.command.name())));
    sessions.push_back(std::move(session));
  }
  return sessions;
}

CommandReply RefreshSessions(CommandContext& context) {
  MONGO_ASSIGN(const std::vector<std::string> sessions, SessionsOf(context));
  for (const std::string& session : sessions)
    MONGO_TRY(context.services.sessions.Use(session, std::nullopt));
  return model::DocumentBuilder();
}

// Kills the commands of sessions that are under way on this node, but not the one that asks.
template <typename Pick>
void KillCommandsOf(const CommandContext& context, const Pick& is_meant) {
  context.services.operations.KillIf([&](const Operation& operation) {
    return operation.context.get() != &context && !operation.context->session.empty() &&
           is_meant(operation.context->session);
  });
}

void End(const CommandContext& context, std::vector<std::string> sessions) {
  for (const std::string& session : sessions) context.services.sessions.End(session);
  EndCursors(context.services, std::move(sessions));
}

void Kill(const CommandContext& context, std::vector<std::string> sessions) {
  KillCommandsOf(context, [&](const std::string& session) {
    return std::ranges::find(sessions, session) != sessions.end();
  });
  End(context, std::move(sessions));
}

CommandReply EndSessions(CommandContext& context) {
  MONGO_ASSIGN(std::vector<std::string> sessions, SessionsOf(context));
  End(context, std::move(sessions));
  return model::DocumentBuilder();
}

// Ends all sessions whose user has one of these digests; every one if there are none.
void EndSessionsOf(const CommandContext& context, const std::vector<std::string>& digests) {
  const MongoServices& services = context.services;
  const auto is_meant = [&](std::string_view session) {
    if (digests.empty()) return true;
    return std::ranges::any_of(digests, [&](const auto& each) { return session.ends_with(each); });
  };
  services.sessions.EndIf(is_meant);
  KillCommandsOf(context, is_meant);
  // Also of sessions that this node has forgotten; cursors without a session stay.
  services.cursors.KillIf([&](std::string_view owner) {
    return owner.size() > kSessionBytes && owner[owner.size() - kSessionBytes - 1] == '\n' &&
           is_meant(owner);
  });
}

// {user, db} of a list of users.
Answer<std::string> DigestOfUser(const CommandContext& context, model::DocumentView user) {
  const Fields fields(user, context.command.name(), Fields::Of::kPart);
  MONGO_TRY(fields.CheckKnown({"user", "db"}));
  MONGO_ASSIGN(const std::string name, fields.RequiredText("user"));
  MONGO_ASSIGN(const std::string database, fields.RequiredText("db"));
  return UserDigest(name + '@' + database);
}

// killSessions without a list ends those of the user.
CommandReply KillSessions(CommandContext& context) {
  MONGO_ASSIGN(std::vector<std::string> sessions, SessionsOf(context));
  if (sessions.empty()) EndSessionsOf(context, {UserDigest(context.client->owner())});
  Kill(context, std::move(sessions));
  return model::DocumentBuilder();
}

CommandReply KillAllSessions(CommandContext& context) {
  MONGO_ASSIGN(const std::vector<model::DocumentView> users, ListOf(context));
  std::vector<std::string> digests;
  for (const model::DocumentView user : users) {
    MONGO_ASSIGN(std::string digest, DigestOfUser(context, user));
    digests.push_back(std::move(digest));
  }
  EndSessionsOf(context, digests);
  return model::DocumentBuilder();
}

// A pattern is {}, {lsid}, {uid} or {users: [{user, db}]}.
CommandReply KillByPattern(CommandContext& context) {
  MONGO_ASSIGN(const std::vector<model::DocumentView> patterns, ListOf(context));
  if (patterns.empty()) EndSessionsOf(context, {});
  for (const model::DocumentView pattern : patterns) {
    const Fields fields(pattern, "killAllSessionsByPattern", Fields::Of::kPart);
    MONGO_TRY(fields.CheckKnown({"lsid", "uid", "users", "roles"}));
    MONGO_ASSIGN(const auto lsid, fields.Object("lsid"));
    MONGO_ASSIGN(const auto users, fields.Array("users"));
    const auto uid = pattern.Find("uid");
    if (lsid.has_value()) {
      const auto id = lsid->Find("id");
      const auto digest = lsid->Find("uid");
      std::string session;
      if (id.has_value() && digest.has_value() && id->kind() == model::Kind::kBinary &&
          digest->kind() == model::Kind::kBinary) {
        session = id->ToValue().AsBytes() + digest->ToValue().AsBytes();
      } else {
        MONGO_ASSIGN(session, ReadSessionId(context, *lsid, "killAllSessionsByPattern.lsid"));
      }
      Kill(context, {session});
    } else if (uid.has_value()) {
      if (uid->kind() != model::Kind::kBinary ||
          uid->ToValue().AsBytes().size() != kSessionBytes - kSessionIdBytes)
        return Refuse(ErrorCode::kTypeMismatch, "'uid' must be a digest of 32 bytes");
      EndSessionsOf(context, {uid->ToValue().AsBytes()});
    } else if (users.has_value()) {
      std::vector<std::string> digests;
      for (const model::ElementView user : *users) {
        if (user.kind() != model::Kind::kObject)
          return Refuse(ErrorCode::kTypeMismatch, "'users' must be objects");
        MONGO_ASSIGN(std::string digest, DigestOfUser(context, user.AsDocument()));
        digests.push_back(std::move(digest));
      }
      if (!digests.empty()) EndSessionsOf(context, digests);
    } else if (pattern.empty()) {
      EndSessionsOf(context, {});
    } else {
      return Refuse(ErrorCode::kCommandNotSupported,
                    "killAllSessionsByPattern by roles is not supported");
    }
  }
  return model::DocumentBuilder();
}

}  // namespace

std::vector<CommandEntry> SessionCommands() {
  const auto session = [](std::string_view name, Action action, CommandHandler handler) {
    return CommandEntry{.name = name, .action = action, .handler = handler, .on_loop = true};
  };
  return {session("startSession", Action::kLogIn, StartSession),
          session("endSessions", Action::kLogIn, EndSessions),
          session("refreshSessions", Action::kLogIn, RefreshSessions),
          session("killSessions", Action::kLogIn, KillSessions),
          session("killAllSessions", Action::kManage, KillAllSessions),
          session("killAllSessionsByPattern", Action::kManage, KillByPattern)};
}

}  // namespace orrery::mongo
