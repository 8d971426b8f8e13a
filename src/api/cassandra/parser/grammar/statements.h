// Rules for statements: each starts at the statement's first word, which is next.
//
// statement.cc chooses among them; a few are split over files by family. All return something even
// when the stream fails: see token_stream.h.
#pragma once

#include <vector>

#include "api/cassandra/parser/ast/statement.h"
#include "api/cassandra/parser/grammar/token_stream.h"

namespace orrery::cassandra::grammar {

ast::Statement ParseStatement(TokenStream& stream);

// select.cc
ast::Select ParseSelect(TokenStream& stream);
std::vector<ast::Selector> ParseSelectors(TokenStream& stream);  // none for *

// insert.cc, update.cc, delete.cc, batch.cc
ast::Batch::Part ParseInsert(TokenStream& stream);
ast::Update ParseUpdate(TokenStream& stream);
ast::Delete ParseDelete(TokenStream& stream);
ast::Batch ParseBatch(TokenStream& stream);
ast::UsingClause ParseUsing(TokenStream& stream);  // nothing when there is no USING

// keyspaces.cc, tables.cc, alter_table.cc
ast::CreateKeyspace ParseCreateKeyspace(TokenStream& stream);
ast::AlterKeyspace ParseAlterKeyspace(TokenStream& stream);
ast::CreateTable ParseCreateTable(TokenStream& stream);
ast::AlterTable ParseAlterTable(TokenStream& stream);

// user_types.cc, indexes.cc, views.cc, functions.cc
ast::CreateType ParseCreateType(TokenStream& stream);
ast::AlterType ParseAlterType(TokenStream& stream);
ast::CreateIndex ParseCreateIndex(TokenStream& stream);
ast::CreateView ParseCreateView(TokenStream& stream);
ast::AlterView ParseAlterView(TokenStream& stream);
ast::CreateTrigger ParseCreateTrigger(TokenStream& stream);
ast::CreateFunction ParseCreateFunction(TokenStream& stream, bool or_replace);
ast::CreateAggregate ParseCreateAggregate(TokenStream& stream, bool or_replace);

// drops.cc: DROP of anything
ast::Statement ParseDrop(TokenStream& stream);

// roles.cc, permissions.cc
ast::CreateRole ParseCreateRole(TokenStream& stream);
ast::CreateRole ParseCreateUser(TokenStream& stream);
ast::AlterRole ParseAlterRole(TokenStream& stream);
ast::AlterRole ParseAlterUser(TokenStream& stream);
ast::Name ParseUserName(TokenStream& stream);
ast::Statement ParseGrant(TokenStream& stream);
ast::Statement ParseRevoke(TokenStream& stream);
ast::Statement ParseList(TokenStream& stream);

// describe.cc
ast::Describe ParseDescribe(TokenStream& stream);

}  // namespace orrery::cassandra::grammar
