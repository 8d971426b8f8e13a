#include "api/sql/script/definition/script_sets.h"

#include <gtest/gtest.h>

#include "api/sql/script/definition/script_set_codec.h"
#include "gateway/test_server.h"

namespace orrery::sql {
namespace {

// As a handler of the API does it.
void AddProcedure(gateway::TestServer& server, const gateway::ContainerRef& container,
                  std::string id) {
  ScriptSet scripts = ReadScripts(container->settings.extra).value();
  ASSERT_TRUE(
      scripts.Create({ScriptKind::kProcedure, std::move(id), "function () {}"}, server.clock.Now())
          .has_value());
  gateway::ContainerSettings settings = container->settings;
  settings.extra = WithScripts(settings.extra, scripts);
  const auto updated = server.catalog->UpdateContainer("db", settings);
  ASSERT_TRUE(updated.has_value()) << updated.error().message();
}

TEST(ScriptSets, FollowTheContainersSettings) {
  gateway::TestServer server;
  server.MakeContainer("c");
  ScriptSets sets;
  EXPECT_EQ(sets.Of(*server.Find("c")).value()->all().size(), 0u);
  AddProcedure(server, server.Find("c"), "one");
  const gateway::ContainerRef one = server.Find("c");
  const ScriptSetRef first = sets.Of(*one).value();
  EXPECT_NE(first->Find(ScriptKind::kProcedure, "one"), nullptr);
  EXPECT_EQ(sets.Of(*one).value(), first);
  AddProcedure(server, one, "two");
  EXPECT_EQ(sets.Of(*server.Find("c")).value()->all().size(), 2u);
  // A request that began before the change keeps what it began with.
  EXPECT_EQ(sets.Of(*one).value()->all().size(), 1u);
}

TEST(ScriptSets, SurviveARestart) {
  gateway::TestServer server;
  server.MakeContainer("c");
  AddProcedure(server, server.Find("c"), "one");
  server.Restart();
  ScriptSets sets;
  EXPECT_NE(sets.Of(*server.Find("c")).value()->Find(ScriptKind::kProcedure, "one"), nullptr);
}

TEST(ScriptSets, WhatCannotBeReadIsAnError) {
  gateway::ContainerEntry container;
  container.settings.extra = gateway::Json(R"({"scripts":1})");
  ScriptSets sets;
  EXPECT_EQ(sets.Of(container).error().code(), Code::kCorruption);
}

}  // namespace
}  // namespace orrery::sql
