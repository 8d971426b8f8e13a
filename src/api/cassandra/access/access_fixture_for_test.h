// Roles over a real catalog, and a schema with keyspace "ks": table "t", function "f(int)".
// Included by tests only.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "api/cassandra/access/role_access.h"
#include "api/cassandra/parser/parser.h"
#include "api/cassandra/types/type_builder.h"
#include "base/bytes.h"
#include "gateway/test_server.h"

namespace orrery::cassandra {

class AccessTest : public ::testing::Test {
 protected:
  AccessTest() { Open({.is_local = false, .password_rounds = kPasswordRoundsMin}); }

  void Open(AccessOptions options) {
    options.password_rounds = kPasswordRoundsMin;
    schema_ =
        std::make_unique<SchemaCache>(*server_.catalog, std::vector<KeyspacePtr>{MakeKeyspace()});
    auto opened = RoleAccess::Open(*server_.catalog, *schema_, server_.accounts, server_.clock,
                                   std::move(options));
    ASSERT_TRUE(opened.has_value()) << opened.error().ToString();
    access_ = *std::move(opened);
  }

  void Restart(AccessOptions options) {
    access_.reset();
    schema_.reset();
    server_.Restart();
    Open(std::move(options));
  }

  // A client that was not asked for its name.
  static Client Anyone() {
    Client client;
    client.superuser = true;
    return client;
  }
  static Client As(std::string_view role) {
    Client client;
    client.role = role;
    client.keyspace = "ks";
    return client;
  }

  CqlResult<Outcome> Run(std::string_view text, const Client& client = Anyone()) {
    const auto parsed = ParseStatement(text);
    EXPECT_TRUE(parsed.has_value()) << text;
    if (!parsed.has_value()) return Invalid("does not parse");
    return access_->Run(parsed->statement, client);
  }

  // Why it was refused; empty when it was not.
  std::string Error(std::string_view text, const Client& client = Anyone()) {
    const auto outcome = Run(text, client);
    return outcome.has_value() ? "" : outcome.error().message;
  }
  void Do(std::string_view text, const Client& client = Anyone()) {
    EXPECT_EQ(Error(text, client), "") << text;
  }

  // The cells of each row; bytes as they are.
  std::vector<std::vector<std::string>> Rows(std::string_view text,
                                             const Client& client = Anyone()) {
    std::vector<std::vector<std::string>> rows;
    const auto outcome = Run(text, client);
    EXPECT_TRUE(outcome.has_value()) << text << ": " << outcome.error().message;
    if (!outcome.has_value()) return rows;
    const auto* result = std::get_if<RowsOutcome>(&outcome->result);
    if (result == nullptr) return rows;
    std::string_view cells = result->cells;
    for (int32_t i = 0; i < result->rows; ++i) {
      rows.emplace_back();
      for (size_t column = 0; column < result->shape->columns().size(); ++column) {
        const auto size = static_cast<size_t>(LoadBigEndian<int32_t>(cells.data()));
        rows.back().emplace_back(cells.substr(4, size));
        cells.remove_prefix(4 + size);
      }
    }
    EXPECT_TRUE(cells.empty());
    return rows;
  }

  // The first cell of each row.
  std::vector<std::string> Names(std::string_view text, const Client& client = Anyone()) {
    std::vector<std::string> names;
    for (auto& row : Rows(text, client)) names.push_back(std::move(row[0]));
    return names;
  }

  std::string Refusal(const Client& client, ast::Permission permission, const Resource& resource) {
    const auto allowed = access_->Require(client, permission, resource);
    return allowed.has_value() ? "" : allowed.error().message;
  }
  bool May(const Client& client, ast::Permission permission, const Resource& resource) {
    return access_->Require(client, permission, resource).has_value();
  }

  static KeyspacePtr MakeKeyspace() {
    auto table = std::make_shared<Table>();
    table->keyspace = "ks";
    table->name = "t";
    auto function = std::make_shared<UserFunction>();
    function->keyspace = "ks";
    function->name = "f";
    function->argument_types = {testing::Int()};
    auto keyspace = std::make_shared<Keyspace>();
    keyspace->name = "ks";
    keyspace->is_virtual = true;
    keyspace->tables["t"] = std::move(table);
    keyspace->functions.push_back(std::move(function));
    return keyspace;
  }

  gateway::TestServer server_;
  std::unique_ptr<SchemaCache> schema_;
  std::unique_ptr<RoleAccess> access_;
};

}  // namespace orrery::cassandra
