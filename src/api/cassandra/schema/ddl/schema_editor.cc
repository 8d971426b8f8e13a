#include "api/cassandra/schema/ddl/schema_editor.h"

#include <fmt/format.h>

#include <utility>

#include "api/cassandra/schema/ddl/ddl_errors.h"
#include "api/cassandra/schema/ddl/plan.h"

namespace orrery::cassandra {
namespace {

// The planner has checked everything else of the settings: what the catalog finds wrong with them
// is a throughput that cannot be.
template <typename Taken>
CqlStatus AboutThroughput(const Taken& taken, const partition::ThroughputSettings& asked) {
  if (taken.has_value()) return {};
  CqlError error = ToCqlError(taken.error());
  if (error.code == ErrorCode::kInvalid && asked != partition::ThroughputSettings::None())
    error.code = ErrorCode::kConfigError;
  return std::unexpected(std::move(error));
}

CqlStatus WasChanged(std::string_view name) {
  return std::unexpected(ToCqlError(
      Error(Code::kPreconditionFailed,
            fmt::format("{} was changed through another node at the same time; retry", name))));
}

// Takes one step of an edit that was planned for `schema`: what is replaced must still be as it was
// there.
class Stepper {
 public:
  Stepper(gateway::Catalog& catalog, const Schema& schema) : catalog_(catalog), schema_(schema) {}

  CqlStatus operator()(AddDatabase& step) const {
    return AboutThroughput(
        catalog_.CreateDatabase(std::move(step.name), step.throughput, std::move(step.extra)),
        step.throughput);
  }
  CqlStatus operator()(ReplaceDatabase& step) const {
    const gateway::DatabaseRef entry = catalog_.snapshot()->Database(step.name);
    const KeyspacePtr planned = schema_.FindKeyspace(step.name);
    // A step before this one may have changed its throughput.
    if (entry != nullptr && planned != nullptr && planned->database->extra != entry->extra)
      return WasChanged(step.name);
    CQL_TRY(catalog_.UpdateDatabase(step.name, std::move(step.extra), entry.get()));
    return {};
  }
  CqlStatus operator()(RemoveDatabase& step) const {
    CQL_TRY(catalog_.DropDatabase(step.name));
    return {};
  }
  CqlStatus operator()(AddContainer& step) const {
    const partition::ThroughputSettings throughput = step.settings.throughput;
    return AboutThroughput(catalog_.CreateContainer(step.database, std::move(step.settings)),
                           throughput);
  }
  CqlStatus operator()(ReplaceContainer& step) const {
    CQL_ASSIGN(const gateway::ContainerRef entry,
               catalog_.FindContainer(step.database, step.settings.name));
    const TablePtr planned = schema_.FindTable(step.database, step.settings.name);
    if (planned != nullptr && planned->container->settings.extra != entry->settings.extra)
      return WasChanged(step.settings.name);
    // A step before this one may have changed it.
    step.settings.throughput = entry->settings.throughput;
    CQL_TRY(catalog_.UpdateContainer(step.database, step.settings, entry.get()));
    return {};
  }
  CqlStatus operator()(RemoveContainer& step) const {
    CQL_TRY(catalog_.DropContainer(step.database, step.container));
    return {};
  }
  CqlStatus operator()(ChangeThroughput& step) const {
    return AboutThroughput(catalog_.SetThroughput(step.database, step.container, step.throughput),
                           step.throughput);
  }

 private:
  gateway::Catalog& catalog_;
  const Schema& schema_;
};

// An error of the catalog about settings is about the statement; as an answer to a write it would
// read "write failure".
CqlError AboutTheStatement(CqlError error) {
  if (error.code == ErrorCode::kWriteFailure) error.code = ErrorCode::kInvalid;
  return error;
}

}  // namespace

CqlResult<SchemaOutcome> SchemaEditor::Run(const ast::Statement& statement,
                                           std::string_view session_keyspace,
                                           std::span<const PayloadEntry> payload) {
  MutexLock lock(mutex_);
  for (int attempt = 1;; ++attempt) {
    Attempt tried = Try(statement, session_keyspace, payload);
    if (!tried.stale || attempt == kAttemptsMax) return std::move(tried.outcome);
  }
}

SchemaEditor::Attempt SchemaEditor::Try(const ast::Statement& statement,
                                        std::string_view session_keyspace,
                                        std::span<const PayloadEntry> payload) {
  const SchemaPtr schema = parts_.schema.Current();
  const std::string new_id = parts_.new_id();
  auto edit = PlanSchemaEdit({.schema = *schema,
                              .session_keyspace = session_keyspace,
                              .now = parts_.clock.Now(),
                              .new_id = new_id,
                              .datacenter = parts_.datacenter,
                              .payload = payload,
                              .functions = parts_.functions},
                             statement);
  if (!edit.has_value()) return {std::unexpected(std::move(edit).error())};
  for (CatalogStep& step : edit->steps) {
    const CqlStatus taken = std::visit(Stepper(parts_.catalog, *schema), step);
    if (taken.has_value()) continue;
    const bool is_first = &step == &edit->steps.front();
    return {std::unexpected(AboutTheStatement(taken.error())),
            /*stale=*/is_first && !parts_.catalog.IsNewest(*schema->source)};
  }
  return {SchemaOutcome{std::move(edit->change), std::move(edit->warnings)}};
}

CqlStatus SchemaEditor::SetViewBuilt(std::string_view keyspace, std::string_view view,
                                     std::string_view id, bool built) {
  MutexLock lock(mutex_);
  for (int attempt = 1;; ++attempt) {
    const SchemaPtr schema = parts_.schema.Current();
    const TablePtr found = schema->FindTable(keyspace, view);
    if (found == nullptr || !found->view.has_value() || found->id != id) return {};
    if (found->view->built == built) return {};
    Table next = *found;
    next.view->built = built;
    CatalogStep step = Replaced(next);
    CqlStatus taken = std::visit(Stepper(parts_.catalog, *schema), step);
    if (taken.has_value() || attempt == kAttemptsMax || parts_.catalog.IsNewest(*schema->source))
      return taken;
  }
}

}  // namespace orrery::cassandra
