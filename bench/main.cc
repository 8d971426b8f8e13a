// orrery-bench core | cql | gremlin | limit | mongo | rados | sql | table: see the program.h of
// each folder.
#include <fmt/core.h>

#include <span>
#include <string_view>
#include <vector>

#include "core/program.h"
#include "cql/program.h"
#include "gremlin/program.h"
#include "limit/program.h"
#include "mongo/program.h"
#include "rados/program.h"
#include "sql/program.h"
#include "table/program.h"

namespace {

struct Program {
  std::string_view name;
  std::string_view what;
  int (*run)(std::span<const std::string_view> words);
};
constexpr Program kPrograms[] = {
    {"core", "measures the core in this process", orrery::bench::RunCoreProgram},
    {"cql", "drives a CQL server and measures it", orrery::bench::RunCqlProgram},
    {"gremlin", "drives a server of Gremlin and measures it", orrery::bench::RunGremlinProgram},
    {"limit", "serves the least a CQL server could do, to measure against",
     orrery::bench::RunLimitProgram},
    {"mongo", "drives a server of MongoDB's protocol and measures it",
     orrery::bench::RunMongoProgram},
    {"rados", "measures the object store on a Ceph cluster", orrery::bench::RunRadosProgram},
    {"sql", "drives a server of the SQL API and measures it", orrery::bench::RunSqlProgram},
    {"table", "drives a server of the Table API and measures it", orrery::bench::RunTableProgram},
};

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string_view> words(argv + 1, argv + argc);
  for (const Program& program : kPrograms) {
    if (!words.empty() && words.front() == program.name) {
      return program.run(std::span(words).subspan(1));
    }
  }
  fmt::print(stderr, "usage: orrery-bench <program> [flags]\n");
  for (const auto& [name, what, run] : kPrograms) fmt::print(stderr, "  {:<7} {}\n", name, what);
  return 2;
}
