// renameCollection.
#include <fmt/format.h>

#include "api/mongo/command/command_table.h"
#include "api/mongo/command/fields.h"

namespace orrery::mongo {
namespace {

Answer<Namespace> RenameSource(const CommandContext& context) {
  const model::ElementView target = context.command.target();
  if (target.kind() != model::Kind::kString)
    return Refuse(ErrorCode::kBadValue,
                  fmt::format("collection name has invalid type {}", TypeNameOf(target)));
  return ParseNamespace(target.AsString());
}

Answer<Namespace> RenameTarget(const Fields& fields) {
  MONGO_ASSIGN(const std::string text, fields.RequiredText("to"));
  auto name = ParseNamespace(text);
  if (!name.has_value())
    return Refuse(ErrorCode::kInvalidNamespace, fmt::format("Invalid target namespace: {}", text));
  Outcome checked = CheckNewCollectionName(*name);
  if (checked.has_value() && name->collection.starts_with("system."))
    checked = Refuse(ErrorCode::kIllegalOperation, "Invalid system namespace: " + text);
  if (!checked.has_value()) {
    return Refuse(ErrorCode::kIllegalOperation,
                  "error with target namespace: " + checked.error().message);
  }
  return *std::move(name);
}

// `dropTarget` may be a UUID, which then must be that of the collection to drop.
Answer<bool> DropsTarget(const CommandContext& context, const Namespace& to) {
  const auto drop = context.body().Find("dropTarget");
  if (!drop.has_value() || drop->kind() == model::Kind::kNull) return false;
  if (drop->kind() == model::Kind::kBool) return drop->AsBool();
  if (drop->kind() != model::Kind::kBinary) {
    return Refuse(ErrorCode::kTypeMismatch,
                  fmt::format("BSON field 'renameCollection.dropTarget' is the wrong type '{}', "
                              "expected types '[bool, binData']",
                              TypeNameOf(*drop)));
  }
  const CollectionPtr there = context.services.collections.Find(to);
  if (there != nullptr && there->uuid == drop->ToValue()) return true;
  return Refuse(ErrorCode::kNamespaceExists, "target namespace exists");
}

CommandReply RenameCollection(CommandContext& context) {
  const Fields fields(context.body(), "renameCollection");
  MONGO_TRY(fields.CheckKnown({"to", "dropTarget", "stayTemp"}));
  MONGO_ASSIGN(const Namespace from, RenameSource(context));
  MONGO_ASSIGN(const Namespace to, RenameTarget(fields));
  MONGO_ASSIGN(const bool drops, DropsTarget(context, to));
  MONGO_TRY(CheckMay(context, Action::kWrite, from.database));
  MONGO_TRY(CheckMay(context, Action::kWrite, to.database));
  if (context.services.collections.FindView(from).has_value()) {
    return Refuse(ErrorCode::kCommandNotSupportedOnView,
                  fmt::format("cannot rename view: {}", from.ToString()));
  }
  MONGO_TRY(context.services.collections.Rename(from, to, drops));
  return model::DocumentBuilder();
}

}  // namespace

std::vector<CommandEntry> RenameCommands() {
  return {{.name = "renameCollection",
           .action = Action::kLogIn,
           .handler = RenameCollection,
           .admin_only = true}};
}

}  // namespace orrery::mongo
