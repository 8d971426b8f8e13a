#include "api/mongo/command/operation/profile_record.h"

#include <chrono>
#include <utility>

#include "api/mongo/command/operation/operation_facts.h"
#include "api/mongo/command/operation/operation_rows.h"
#include "api/mongo/command/operation/profiler.h"
#include "api/mongo/command/write_reply.h"
#include "model/document/document_builder.h"

namespace orrery::mongo {
namespace {

// A longer command is told by its first field.
constexpr size_t kProfiledCommandBytesMax = 50 << 10;
constexpr uint64_t kSampleParts = 1 << 20;

std::string AddressOf(const std::string& remote) { return remote.substr(0, remote.rfind(':')); }

void AppendCommand(model::DocumentView body, model::DocumentBuilder& record) {
  if (body.bson().size() <= kProfiledCommandBytesMax) {
    record.AppendDocument("command", body);
    return;
  }
  record.OpenObject("command");
  record.Append((*body.begin()).name(), *body.begin());
  record.AppendBool("$truncated", true).Close();
}

void AppendUse(const CommandUse& use, model::DocumentBuilder& record) {
  if (use.has_read) {
    AppendCount(record, "keysExamined", static_cast<int64_t>(use.keys_examined));
    AppendCount(record, "docsExamined", static_cast<int64_t>(use.documents_examined));
  }
  if (!use.returned.has_value()) return;
  if (use.cursor_id != 0) {
    record.AppendInt64("cursorid", use.cursor_id);
  } else {
    record.AppendBool("cursorExhausted", true);
  }
  AppendCount(record, "nreturned", *use.returned);
}

void AppendClient(const Client& client, model::DocumentBuilder& record) {
  record.AppendString("client", AddressOf(client.remote));
  const auto& principals = client.principals;
  record.OpenArray("allUsers");
  for (size_t i = 0; i < principals.size(); ++i) {
    record.OpenObject(std::to_string(i)).AppendString("user", principals[i].user);
    record.AppendString("db", principals[i].database).Close();
  }
  record.Close();
  record.AppendString("user",
                      principals.empty() ? "" : principals[0].user + "@" + principals[0].database);
}

}  // namespace

void RecordProfile(const CommandContext& context, Micros took, const MongoError* error,
                   size_t response_bytes) {
  Profiler* const profiler = context.services.profiler;
  if (profiler == nullptr || !profiler->is_on() || context.body().empty()) return;
  const double sample =
      static_cast<double>(context.services.random() % kSampleParts) / kSampleParts;
  if (context.command.name() == "profile" || !profiler->Wants(context.database(), took, sample))
    return;
  const OperationFacts facts = FactsOf(context.command);
  model::DocumentBuilder record;
  record.AppendString("op", NameOfKind(facts.kind));
  record.AppendString("ns", facts.NamespaceIn(context.database()));
  AppendCommand(context.body(), record);
  AppendUse(context.use, record);
  if (facts.kind == OperationKind::kInsert && error == nullptr)
    AppendCount(record, "ninserted", facts.operations);
  record.AppendInt32("numYield", 0);
  if (error != nullptr) {
    record.AppendDouble("ok", 0).AppendString("errMsg", error->message);
    record.AppendString("errName", error->code_name()).AppendInt32("errCode", error->code);
  }
  AppendCount(record, "responseLength", static_cast<int64_t>(response_bytes));
  record.AppendString("protocol", "op_msg");
  AppendCount(record, "millis",
              std::chrono::duration_cast<std::chrono::milliseconds>(took).count());
  record.Append("ts", model::Value::DateTime(context.services.now_ms()));
  AppendClient(*context.client, record);
  profiler->Add(context.database(), std::move(record).Finish());
}

std::optional<std::vector<model::Document>> ProfileRows(const CommandContext& context,
                                                        const Namespace& name) {
  if (context.services.profiler == nullptr || name.collection != kProfileCollection)
    return std::nullopt;
  return context.services.profiler->Records(name.database).value_or(std::vector<model::Document>());
}

}  // namespace orrery::mongo
