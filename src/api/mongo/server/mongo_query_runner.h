// Runs commands and statements of MongoDB's shell for the explorer, on the path of those that come
// over MongoDB's protocol.
//
// Thread-safe. What is given must outlive it.
#pragma once

#include <string_view>

#include "api/mongo/command/command_table.h"
#include "api/mongo/command/services.h"
#include "query/runner/query_runner.h"

namespace orrery::mongo {

class MongoQueryRunner final : public query::QueryRunner {
 public:
  MongoQueryRunner(const MongoServices& services, const CommandTable& commands)
      : services_(services), commands_(commands) {}

  std::string_view api() const override { return "mongo"; }
  query::RunnerOutcome<query::RunnerResult> Run(const query::RunnerRequest& request) override;
  query::RunnerOutcome<std::string> Plan(const query::RunnerRequest& request) override;

 private:
  struct Ran {
    model::Document reply;
    RequestUnits charge;
  };
  // Runs a command to its reply, for whoever may do as the request says.
  query::RunnerOutcome<Ran> Execute(const query::RunnerRequest& request, model::Fields command);

  const MongoServices& services_;
  const CommandTable& commands_;
};

}  // namespace orrery::mongo
