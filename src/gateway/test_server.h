// Everything below and including the gateway, on a real store in a temporary directory, for tests.
// Writes are left to the operating system: they survive Restart, and tests do not wait for the
// disk.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/metrics.h"
#include "base/thread_pool.h"
#include "gateway/account/accounts.h"
#include "gateway/core.h"
#include "model/document/json.h"
#include "storage/resources.h"

namespace orrery::gateway {

inline model::Document Json(std::string_view text) {
  auto document = model::ParseJson(text);
  EXPECT_TRUE(document.has_value()) << text;
  return *std::move(document);
}

class TestServer {
 public:
  explicit TestServer(partition::Limits server_limits = {},
                      const item::ComputedMaker* maker = nullptr)
      : limits(server_limits), computed(maker) {
    static std::atomic<int> count{0};
    directory_ = std::filesystem::path(testing::TempDir()) /
                 ("orrery-gateway-" + std::to_string(getpid()) + "-" + std::to_string(count++));
    std::filesystem::create_directories(directory_);
    Start();
  }
  ~TestServer() {
    Stop();
    std::error_code ignored;
    std::filesystem::remove_all(directory_, ignored);
  }

  void Start() {
    auto opened = Core::Open({.directory = directory_.string(),
                              .limits = limits,
                              .sequencer = {.durability = storage::Durability::kOs},
                              .computed = computed},
                             {.resources = resources,
                              .commit_pool = commit_pool,
                              .io_pool = io_pool,
                              .accounts = accounts,
                              .clock = clock,
                              .metrics = metrics});
    ASSERT_TRUE(opened.has_value()) << opened.error().ToString();
    core_ = *std::move(opened);
    catalog = &core_->catalog();
    node = &core_->node();
    gateway = &core_->gateway();
    rows = &core_->rows();
  }

  void Stop() { core_.reset(); }

  void Restart() {
    Stop();
    Start();
  }

  // Database "db" and a container of that name with partition key /pk.
  ContainerRef MakeContainer(std::string name, partition::ThroughputSettings throughput = {}) {
    if (!catalog->FindDatabase("db").has_value())
      EXPECT_TRUE(catalog->CreateDatabase("db", {}).has_value());
    ContainerSettings settings;
    settings.name = std::move(name);
    settings.partition_key_paths = {"/pk"};
    settings.throughput = throughput;
    auto created = catalog->CreateContainer("db", settings);
    EXPECT_TRUE(created.has_value()) << created.error().ToString();
    return *created;
  }

  ContainerRef Find(std::string_view name) {
    auto found = catalog->FindContainer("db", name);
    EXPECT_TRUE(found.has_value());
    return *found;
  }

  static WriteRequest Upsert(ContainerRef container, std::string_view json) {
    WriteRequest request;
    request.container = std::move(container);
    request.operations.emplace_back();
    request.operations.back().document = Json(json);
    return request;
  }

  WriteResponse Put(const ContainerRef& container, std::string_view json) {
    return gateway->WriteAndWait(Upsert(container, json));
  }

  ReadResponse Get(const ContainerRef& container, std::string pk, std::string id,
                   std::string_view session = {}) {
    return gateway->Read(container, {model::Value::String(std::move(pk))},
                         model::Value::String(std::move(id)), storage::ReadMode::kMayBlock,
                         session);
  }

  Core& core() { return *core_; }

  partition::Limits limits;
  const item::ComputedMaker* const computed;
  ManualClock clock;
  storage::EngineResources resources;
  ThreadPool commit_pool{"commit", 2, 1'000};
  ThreadPool io_pool{"io", 3, 1'000};
  MetricsRegistry metrics;
  Accounts accounts = *Accounts::Create({});
  // Of the running core: others after each start.
  Catalog* catalog = nullptr;
  cluster::Node* node = nullptr;
  Gateway* gateway = nullptr;
  RowGateway* rows = nullptr;

 private:
  std::filesystem::path directory_;
  std::unique_ptr<Core> core_;
};

// A partition carries 1,000 RU/s: throughput of n thousand makes n partitions.
inline partition::Limits SmallPartitions() {
  partition::Limits limits;
  limits.physical_partition_rate_max = 1'000;
  return limits;
}

}  // namespace orrery::gateway
