#include "mongo/command_maker.h"

#include <fmt/format.h>

#include <cstring>
#include <utility>

#include "api/mongo/protocol/message.h"
#include "model/document/document_builder.h"

namespace orrery::bench {
namespace {

using model::DocumentBuilder;

void AppendLittleEndian(std::string& out, int32_t value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof(value));
}

// A message without flags whose only section is the command.
void AppendCommand(std::string& out, uint32_t id, std::string_view database,
                   DocumentBuilder command) {
  command.AppendString("$db", database);
  const model::Document body = std::move(command).Finish();
  const std::string_view bytes = body.bson();
  AppendLittleEndian(out, static_cast<int32_t>(mongo::kHeaderBytes + 4 + 1 + bytes.size()));
  AppendLittleEndian(out, static_cast<int32_t>(id));
  AppendLittleEndian(out, 0);  // the answer to nothing
  AppendLittleEndian(out, static_cast<int32_t>(mongo::OpCode::kMsg));
  AppendLittleEndian(out, 0);  // flags
  out.push_back('\0');         // kind of the section
  out.append(bytes);
}

int64_t Signed(uint64_t number) { return static_cast<int64_t>(number); }

void AppendConcern(DocumentBuilder& command, bool journal) {
  command.OpenObject("writeConcern").AppendInt32("w", 1).AppendBool("j", journal).Close();
}

}  // namespace

CommandMaker::CommandMaker(const MongoOptions& options)
    : database_(options.database),
      collection_(options.collection),
      value_(options.value_bytes, 'v'),
      journal_(options.journal) {}

void CommandMaker::AppendFind(uint32_t id, uint64_t number, std::string& out) const {
  DocumentBuilder command;
  command.AppendString("find", collection_);
  command.OpenObject("filter").AppendInt64("_id", Signed(number)).Close();
  command.AppendInt32("limit", 1).AppendBool("singleBatch", true);
  AppendCommand(out, id, database_, std::move(command));
}

void CommandMaker::AppendInsert(uint32_t id, uint64_t first, uint64_t count,
                                std::string& out) const {
  DocumentBuilder command;
  command.AppendString("insert", collection_).OpenArray("documents");
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t number = first + i;
    command.OpenObject(fmt::to_string(i))
        .AppendInt64("_id", Signed(number))
        .AppendInt64("shelf", Signed(number / kOfOneShelf))
        .AppendInt64("group", Signed(number % kGroups))
        .AppendString("value", value_)
        .Close();
  }
  command.Close();
  AppendConcern(command, journal_);
  AppendCommand(out, id, database_, std::move(command));
}

void CommandMaker::AppendUpdate(uint32_t id, uint64_t number, std::string& out) const {
  DocumentBuilder command;
  command.AppendString("update", collection_).OpenArray("updates").OpenObject("0");
  command.OpenObject("q").AppendInt64("_id", Signed(number)).Close();
  command.OpenObject("u").OpenObject("$inc").AppendInt64("updates", 1).Close().Close();
  command.Close().Close();
  AppendConcern(command, journal_);
  AppendCommand(out, id, database_, std::move(command));
}

void CommandMaker::AppendIndexedFind(uint32_t id, uint64_t shelf, std::string& out) const {
  DocumentBuilder command;
  command.AppendString("find", collection_);
  command.OpenObject("filter").AppendInt64("shelf", Signed(shelf)).Close();
  AppendCommand(out, id, database_, std::move(command));
}

void CommandMaker::AppendGroup(uint32_t id, uint64_t number, std::string& out) const {
  DocumentBuilder command;
  command.AppendString("aggregate", collection_).OpenArray("pipeline");
  command.OpenObject("0").OpenObject("$match").OpenObject("_id");
  command.AppendInt64("$lt", Signed(number)).Close().Close().Close();
  command.OpenObject("1").OpenObject("$group").AppendString("_id", "$group");
  command.OpenObject("count").AppendInt32("$sum", 1).Close();
  command.OpenObject("shelves").AppendString("$sum", "$shelf").Close().Close().Close();
  command.Close();
  command.OpenObject("cursor").Close();
  AppendCommand(out, id, database_, std::move(command));
}

void CommandMaker::AppendDrop(uint32_t id, std::string& out) const {
  DocumentBuilder command;
  command.AppendString("drop", collection_);
  AppendCommand(out, id, database_, std::move(command));
}

void CommandMaker::AppendCreateIndex(uint32_t id, std::string& out) const {
  DocumentBuilder command;
  command.AppendString("createIndexes", collection_).OpenArray("indexes").OpenObject("0");
  command.OpenObject("key").AppendInt32("shelf", 1).Close();
  command.AppendString("name", "shelf_1").Close().Close();
  AppendCommand(out, id, database_, std::move(command));
}

}  // namespace orrery::bench
