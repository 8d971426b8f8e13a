#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <cstdint>
#include <ostream>

#include "cli/connection_flags.h"
#include "cli/json_view.h"
#include "cli/verb/verb.h"
#include "model/document/json.h"

namespace orrery::cli {
namespace {

class MergeVerb final : public Verb {
 public:
  std::string_view name() const override { return "merge"; }
  std::string_view summary() const override {
    return "make one physical partition of two neighbours";
  }
  std::string_view examples() const override {
    return "  orrery merge 8 9       `orrery partitions` shows the ids\n"
           "\n"
           "The two must have the same owner (a container, a database whose containers share "
           "throughput, or the\n"
           "shared pool) and be neighbours on the ring.";
  }

  void DefineFlags(CLI::App& app) override {
    app.add_option("left", left_, "one of the two")->type_name("ID")->required();
    app.add_option("right", right_, "its neighbour")->type_name("ID")->required();
    connection_.Define(app);
  }

  Status Run(Console& console) override {
    ORRERY_ASSIGN(AdminClient client, connection_.Connect(console));
    ORRERY_ASSIGN(const model::Document answer,
                  client.Call("POST", "partitions/merge",
                              fmt::format(R"({{"left":{},"right":{}}})", left_, right_)));
    if (connection_.json()) {
      console.out << model::ToJson(answer) << "\n";
      return {};
    }
    const model::Value value = answer.view().ToObject();
    console.out << fmt::format("partitions {} and {} are now {}\n", left_, right_,
                               JsonView(&value)["partition"].Text());
    return {};
  }

 private:
  ConnectionFlags connection_;
  uint64_t left_ = 0;
  uint64_t right_ = 0;
};

}  // namespace

std::unique_ptr<Verb> MakeMergeVerb() { return std::make_unique<MergeVerb>(); }

}  // namespace orrery::cli
