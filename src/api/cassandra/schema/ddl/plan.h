// From a schema statement to what it does to the catalog: one overload for each statement, one file
// for each family. Rules and texts are those of Cassandra 4.1.
//
// Pure. An edit without a change means that IF [NOT] EXISTS made the statement nothing.
#pragma once

#include "api/cassandra/parser/ast/statement.h"
#include "api/cassandra/schema/ddl/plan_context.h"
#include "api/cassandra/schema/ddl/schema_edit.h"

namespace orrery::cassandra {

// keyspaces.cc
CqlResult<SchemaEdit> Plan(const PlanContext& context, const ast::CreateKeyspace& statement);
CqlResult<SchemaEdit> Plan(const PlanContext& context, const ast::AlterKeyspace& statement);
CqlResult<SchemaEdit> Plan(const PlanContext& context, const ast::DropKeyspace& statement);

// create_table.cc, alter_table.cc, drop_table.cc
CqlResult<SchemaEdit> Plan(const PlanContext& context, const ast::CreateTable& statement);
CqlResult<SchemaEdit> Plan(const PlanContext& context, const ast::AlterTable& statement);
CqlResult<SchemaEdit> Plan(const PlanContext& context, const ast::DropTable& statement);

// user_types.cc
CqlResult<SchemaEdit> Plan(const PlanContext& context, const ast::CreateType& statement);
CqlResult<SchemaEdit> Plan(const PlanContext& context, const ast::AlterType& statement);
CqlResult<SchemaEdit> Plan(const PlanContext& context, const ast::DropType& statement);

// indexes.cc
CqlResult<SchemaEdit> Plan(const PlanContext& context, const ast::CreateIndex& statement);
CqlResult<SchemaEdit> Plan(const PlanContext& context, const ast::DropIndex& statement);

// create_view.cc, views.cc
CqlResult<SchemaEdit> Plan(const PlanContext& context, const ast::CreateView& statement);
CqlResult<SchemaEdit> Plan(const PlanContext& context, const ast::AlterView& statement);
CqlResult<SchemaEdit> Plan(const PlanContext& context, const ast::DropView& statement);

// triggers.cc. No trigger can be made: they are Java classes.
CqlResult<SchemaEdit> Plan(const PlanContext& context, const ast::CreateTrigger& statement);
CqlResult<SchemaEdit> Plan(const PlanContext& context, const ast::DropTrigger& statement);

// functions.cc, aggregates.cc
CqlResult<SchemaEdit> Plan(const PlanContext& context, const ast::CreateFunction& statement);
CqlResult<SchemaEdit> Plan(const PlanContext& context, const ast::DropFunction& statement);
CqlResult<SchemaEdit> Plan(const PlanContext& context, const ast::CreateAggregate& statement);
CqlResult<SchemaEdit> Plan(const PlanContext& context, const ast::DropAggregate& statement);

// Returns whether one of the above takes it. DESCRIBE reads only and is none of them.
bool IsSchemaStatement(const ast::Statement& statement);
// REQUIRES: IsSchemaStatement(statement).
CqlResult<SchemaEdit> PlanSchemaEdit(const PlanContext& context, const ast::Statement& statement);

}  // namespace orrery::cassandra
