// Every statement of CQL.
#pragma once

#include <variant>

#include "api/cassandra/parser/ast/access.h"
#include "api/cassandra/parser/ast/describe.h"
#include "api/cassandra/parser/ast/function.h"
#include "api/cassandra/parser/ast/modification.h"
#include "api/cassandra/parser/ast/schema_object.h"
#include "api/cassandra/parser/ast/select.h"
#include "api/cassandra/parser/ast/table.h"

namespace orrery::cassandra::ast {

using Statement = std::variant<
    // Rows
    Select, Insert, InsertJson, Update, Delete, Batch, Truncate, Use,
    // Schema
    CreateKeyspace, AlterKeyspace, DropKeyspace, CreateTable, AlterTable, DropTable, CreateType,
    AlterType, DropType, CreateIndex, DropIndex, CreateView, AlterView, DropView, CreateTrigger,
    DropTrigger, CreateFunction, DropFunction, CreateAggregate, DropAggregate, Describe,
    // Access
    CreateRole, AlterRole, DropRole, GrantRole, RevokeRole, ListRoles, ListUsers, GrantPermissions,
    RevokePermissions, ListPermissions>;

}  // namespace orrery::cassandra::ast
