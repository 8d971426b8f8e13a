#include "core/fixture.h"

#include <fmt/core.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "model/document/document_builder.h"

namespace orrery::bench {

void Require(const Status& status, std::string_view what) {
  if (status.has_value()) return;
  fmt::print(stderr, "orrery-bench: {}: {}\n", what, status.error().ToString());
  std::exit(1);
}

Fixture::Fixture(FixtureOptions options)
    : options_(std::move(options)),
      resources_({.block_cache_bytes = options_.cache_bytes}),
      commit_pool_("commit", 2, 1 << 20),
      io_pool_("io", 4, 1'024),
      accounts_(Require(gateway::Accounts::Create({}), "accounts")) {
  std::filesystem::remove_all(options_.directory);
  std::filesystem::create_directories(options_.directory);
  core_ = Require(gateway::Core::Open({.directory = options_.directory, .limits = options_.limits},
                                      {.resources = resources_,
                                       .commit_pool = commit_pool_,
                                       .io_pool = io_pool_,
                                       .accounts = accounts_,
                                       .clock = clock_,
                                       .metrics = metrics_}),
                  "core");
  Require(StatusOf(catalog().CreateDatabase("bench", {})), "database");
}

Fixture::~Fixture() {
  core_.reset();
  std::filesystem::remove_all(options_.directory);
}

gateway::ContainerRef Fixture::MakeContainer(const std::string& name, int64_t throughput,
                                             bool indexed) {
  gateway::ContainerSettings settings;
  settings.name = name;
  settings.partition_key_paths = {"/pk"};
  settings.indexing.automatic = indexed;
  if (throughput > 0) settings.throughput = partition::ThroughputSettings::Manual(throughput);
  return Require(catalog().CreateContainer("bench", std::move(settings)), "container");
}

model::Document MakeDocument(uint64_t number, size_t bytes) {
  // Text that does not compress away, the same for the same number.
  std::string payload(bytes > 80 ? bytes - 80 : 1, ' ');
  uint64_t state = number * 0x9E3779B97F4A7C15 + 1;
  for (char& c : payload) {
    state = state * 6364136223846793005 + 1442695040888963407;
    c = static_cast<char>('!' + (state >> 33) % 90);
  }
  model::DocumentBuilder builder;
  builder.Append("id", model::Value::String(fmt::format("item-{:012}", number)));
  builder.Append("pk", model::Value::String(fmt::format("key-{}", number)));
  builder.Append("payload", model::Value::String(std::move(payload)));
  return std::move(builder).Finish();
}

gateway::WriteRequest UpsertRequest(const gateway::ContainerRef& container, uint64_t number,
                                    size_t bytes) {
  gateway::WriteRequest request{
      .container = container, .partition_key = std::nullopt, .operations = {}};
  request.operations.push_back({.kind = item::OperationKind::kUpsert,
                                .row_key = std::nullopt,
                                .document = MakeDocument(number, bytes),
                                .patch = {},
                                .condition = std::nullopt,
                                .if_match = std::nullopt});
  return request;
}

double Now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

size_t ResidentBytes() {
  std::ifstream file("/proc/self/statm");
  size_t pages = 0;
  size_t resident = 0;
  file >> pages >> resident;
  return resident * static_cast<size_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace orrery::bench
