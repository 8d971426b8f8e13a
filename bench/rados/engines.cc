#include <fmt/core.h>

#include <algorithm>
#include <random>
#include <string>
#include <utility>

#include "base/clock.h"
#include "core/fixture.h"
#include "rados/sections.h"
#include "storage/engine/engine.h"
#include "storage/rados/rados_file_system.h"
#include "storage/resources.h"

namespace orrery::bench {
namespace {

using storage::Batch;
using storage::Durability;
using storage::Engine;
using storage::EngineOptions;
using storage::EngineResources;
using storage::rados::LibradosStore;
using storage::rados::RadosFileSystem;

constexpr size_t kValueBytes = 200;

// A process with engines in the cluster.
struct Node {
  explicit Node(const RadosBenchOptions& options)
      : store(ConnectOrExit(options)),
        files(Require(
            RadosFileSystem::Open(
                store, {.clock = &clock,
                        .random = [this] { return (uint64_t{random()} << 32) | random(); }}),
            "open the file system")),
        resources({.recycled_log_bytes_min = UINT64_MAX, .file_system = files->AsFileSystem()}) {}

  std::unique_ptr<Engine> Open() {
    return Require(Engine::Open(resources, EngineOptions{.path = "/engine"}), "open the engine");
  }

  SystemClock clock;
  std::random_device random;
  std::shared_ptr<LibradosStore> store;
  std::unique_ptr<RadosFileSystem> files;
  EngineResources resources;
};

// Synced batches of `group` records for a while; batches per second.
double RunCommits(Engine& engine, double seconds, int group) {
  static uint64_t last_key = 0;
  const std::string value(kValueBytes, 'v');
  uint64_t commits = 0;
  const double start = Now();
  while (Now() < start + seconds) {
    Batch batch;
    for (int i = 0; i < group; ++i)
      batch.Put(fmt::format("{:016x}", ++last_key * 0x9e3779b97f4a7c15), value);
    Require(engine.Write(batch, Durability::kDurable), "write");
    ++commits;
  }
  return static_cast<double>(commits) / (Now() - start);
}

}  // namespace

std::string BenchCommits(const RadosBenchOptions& options) {
  Node node(options);
  const auto engine = node.Open();
  std::string text =
      "| records in a commit | commits/s | ms a commit | records/s | against one by one |\n"
      "|---|---|---|---|---|\n";
  double alone = 0;
  for (const int group : {1, 16, 64, 256, 1024}) {
    fmt::print(stderr, "== commits of {}\n", group);
    const double commits = RunCommits(*engine, options.seconds, group);
    const double records = commits * group;
    if (group == 1) alone = records;
    text += fmt::format("| {} | {:.0f} | {:.2f} | {:.0f} | **{:.0f} x** |\n", group, commits,
                        1000 / commits, records, records / alone);
  }
  return text;
}

std::string BenchOpens(const RadosBenchOptions& options) {
  constexpr int kOpens = 10;
  constexpr int kRecords = 20'000;
  {
    Node node(options);
    const auto engine = node.Open();
    Batch batch;
    for (int i = 0; i < kRecords; ++i)
      batch.Put(fmt::format("{:08}", i), std::string(kValueBytes, 'v'));
    Require(engine->Write(batch, Durability::kDurable), "write");
    Require(engine->Flush(), "flush");
  }
  double fencing = 0;
  double taking = 0;
  double opening = 0;
  double slowest = 0;
  auto former = ConnectOrExit(options);
  for (int i = 0; i < kOpens; ++i) {
    Node node(options);  // a new process each time: nothing is remembered
    const double start = Now();
    Require(node.store->Blocklist(former->Address()), "blocklist");
    const double fenced = Now();
    Require(node.files->Take("/engine"), "take");
    const double taken = Now();
    const auto engine = node.Open();
    const double opened = Now();
    fencing += fenced - start;
    taking += taken - fenced;
    opening += opened - taken;
    slowest = std::max(slowest, opened - fenced);
    former = ConnectOrExit(options);
  }
  return fmt::format(
      "| {} records in tables, {} times | ms |\n|---|---|\n"
      "| blocklisting the former owner, mean | {:.0f} |\n"
      "| taking the directory, mean | {:.0f} |\n"
      "| opening the engine, mean | {:.0f} |\n| the last two, slowest | {:.0f} |\n",
      kRecords, kOpens, fencing / kOpens * 1e3, taking / kOpens * 1e3, opening / kOpens * 1e3,
      slowest * 1e3);
}

}  // namespace orrery::bench
