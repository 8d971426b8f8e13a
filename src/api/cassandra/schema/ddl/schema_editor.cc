#include "api/cassandra/schema/ddl/schema_editor.h"

#include <utility>

#include "api/cassandra/schema/ddl/plan.h"
#include "api/cassandra/schema/ddl/refusal.h"

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

// Takes one step of an edit.
class Stepper {
 public:
  explicit Stepper(gateway::Catalog& catalog) : catalog_(catalog) {}

  CqlStatus operator()(AddDatabase& step) const {
    return AboutThroughput(
        catalog_.CreateDatabase(std::move(step.name), step.throughput, std::move(step.extra)),
        step.throughput);
  }
  CqlStatus operator()(ReplaceDatabase& step) const {
    CQL_TRY(catalog_.UpdateDatabase(step.name, std::move(step.extra)));
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
    // A step before this one may have changed it.
    CQL_ASSIGN(const gateway::ContainerRef entry,
               catalog_.FindContainer(step.database, step.settings.name));
    step.settings.throughput = entry->settings.throughput;
    CQL_TRY(catalog_.UpdateContainer(step.database, step.settings));
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
};

// What the catalog says of settings is about the statement; as an answer to a write it would read
// "write failure".
CqlError AboutTheStatement(CqlError error) {
  if (error.code == ErrorCode::kWriteFailure) error.code = ErrorCode::kInvalid;
  return error;
}

}  // namespace

CqlResult<SchemaOutcome> SchemaEditor::Run(const ast::Statement& statement,
                                           std::string_view session_keyspace,
                                           std::span<const PayloadEntry> payload) {
  MutexLock lock(mutex_);
  const SchemaPtr schema = parts_.schema.Current();
  const std::string new_id = parts_.new_id();
  CQL_ASSIGN(SchemaEdit edit, PlanSchemaEdit({.schema = *schema,
                                              .session_keyspace = session_keyspace,
                                              .now = parts_.clock.Now(),
                                              .new_id = new_id,
                                              .datacenter = parts_.datacenter,
                                              .payload = payload,
                                              .functions = parts_.functions},
                                             statement));
  for (CatalogStep& step : edit.steps) {
    const CqlStatus taken = std::visit(Stepper(parts_.catalog), step);
    if (!taken.has_value()) return std::unexpected(AboutTheStatement(taken.error()));
  }
  return SchemaOutcome{std::move(edit.change), std::move(edit.warnings)};
}

CqlStatus SchemaEditor::SetViewBuilt(std::string_view keyspace, std::string_view view,
                                     std::string_view id, bool built) {
  MutexLock lock(mutex_);
  const TablePtr found = parts_.schema.Current()->FindTable(keyspace, view);
  if (found == nullptr || !found->view.has_value() || found->id != id) return {};
  if (found->view->built == built) return {};
  Table next = *found;
  next.view->built = built;
  CatalogStep step = Replaced(next);
  return std::visit(Stepper(parts_.catalog), step);
}

}  // namespace orrery::cassandra
