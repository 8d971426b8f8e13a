#include "api/cassandra/schema/ddl/plan.h"

#include "base/check.h"

namespace orrery::cassandra {
namespace {

template <typename T>
concept Plannable = requires(const PlanContext& context, const T& statement) {
  { Plan(context, statement) };
};

}  // namespace

bool IsSchemaStatement(const ast::Statement& statement) {
  return std::visit([]<typename T>(const T&) { return Plannable<T>; }, statement);
}

CqlResult<SchemaEdit> PlanSchemaEdit(const PlanContext& context, const ast::Statement& statement) {
  return std::visit(
      [&]<typename T>(const T& one) -> CqlResult<SchemaEdit> {
        if constexpr (Plannable<T>) {
          return Plan(context, one);
        } else {
          ORRERY_CHECK(false);
          return SchemaEdit();
        }
      },
      statement);
}

}  // namespace orrery::cassandra
