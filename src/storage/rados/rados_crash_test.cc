// Ends a process at every operation that its work makes on the object store, and lets another take
// its directories: what was promised is there, what was not is as before or after, nothing is half
// done, and after a collection of garbage no object is left that nothing refers to.
//
// ORRERY_CRASH_EVERY=1 in the environment tries every operation instead of a sample.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <vector>

#include "storage/rados/rados_testing.h"

namespace orrery::storage::rados {
namespace {

using rocksdb::IOStatus;

constexpr const char* kDirectory = "<directory>";

// Steps of several sizes meet every kind of operation.
uint64_t Stride() {
  static uint64_t tried = 0;
  return std::getenv("ORRERY_CRASH_EVERY") != nullptr ? 1 : 3 + ++tried % 4;
}

IOStatus FsyncDirectory(rocksdb::FileSystem& fs, const std::string& path) {
  std::unique_ptr<rocksdb::FSDirectory> directory;
  IOStatus status = fs.NewDirectory(path, {}, &directory, nullptr);
  return status.ok() ? directory->Fsync({}, nullptr) : status;
}

// One step of a process, and what must be visible after it.
struct Step {
  const char* what;
  std::function<IOStatus(rocksdb::FileSystem&)> run;
  std::function<void(Tree&)> after;
};

class Script {
 public:
  Script() {
    const std::string long_bytes = std::string(120, 'a') + std::string(130, 'b');
    Add(
        "make directories", [](auto& fs) { return fs.CreateDir("/d", {}, nullptr); },
        [](Tree& tree) { tree["/d"] = kDirectory; });
    Add(
        "make another", [](auto& fs) { return fs.CreateDir("/e", {}, nullptr); },
        [](Tree& tree) { tree["/e"] = kDirectory; });
    Add(
        "write a file of three stripes",
        [=](auto& fs) { return WriteFile(fs, "/d/one", long_bytes); },
        [=](Tree& tree) { tree["/d/one"] = long_bytes; });
    Add(
        "replace it by another", [](auto& fs) { return WriteFile(fs, "/d/one", "two"); },
        [](Tree& tree) { tree["/d/one"] = "two"; });
    Add(
        "write a second", [=](auto& fs) { return WriteFile(fs, "/d/two", long_bytes); },
        [=](Tree& tree) { tree["/d/two"] = long_bytes; });
    Add(
        "rename over the first",
        [](auto& fs) { return fs.RenameFile("/d/two", "/d/one", {}, nullptr); },
        [=](Tree& tree) {
          tree["/d/one"] = long_bytes;
          tree.erase("/d/two");
        });
    Add(
        "link into another directory",
        [](auto& fs) {
          IOStatus status = fs.LinkFile("/d/one", "/e/linked", {}, nullptr);
          return status.ok() ? FsyncDirectory(fs, "/e") : status;
        },
        [=](Tree& tree) { tree["/e/linked"] = long_bytes; });
    Add(
        "delete the first name", [](auto& fs) { return fs.DeleteFile("/d/one", {}, nullptr); },
        [](Tree& tree) { tree.erase("/d/one"); });
    Add(
        "move it to another directory",
        [](auto& fs) { return fs.RenameFile("/e/linked", "/d/moved", {}, nullptr); },
        [=](Tree& tree) {
          tree["/d/moved"] = long_bytes;
          tree.erase("/e/linked");
        });
    Add(
        "add to it",
        [](auto& fs) {
          std::unique_ptr<rocksdb::FSWritableFile> file;
          IOStatus status = fs.ReopenWritableFile("/d/moved", {}, &file, nullptr);
          if (status.ok()) status = file->Append(std::string(70, 'c'), {}, nullptr);
          if (status.ok()) status = file->Sync({}, nullptr);
          return status.ok() ? file->Close({}, nullptr) : status;
        },
        [=](Tree& tree) { tree["/d/moved"] = long_bytes + std::string(70, 'c'); });
    Add(
        "an empty file", [](auto& fs) { return WriteFile(fs, "/e/empty", ""); },
        [](Tree& tree) { tree["/e/empty"] = ""; });
    Add(
        "a link to it",
        [](auto& fs) {
          IOStatus status = fs.LinkFile("/e/empty", "/d/empty", {}, nullptr);
          return status.ok() ? FsyncDirectory(fs, "/d") : status;
        },
        [](Tree& tree) { tree["/d/empty"] = ""; });
    Add(
        "a directory below", [](auto& fs) { return fs.CreateDir("/d/tmp", {}, nullptr); },
        [](Tree& tree) { tree["/d/tmp"] = kDirectory; });
    Add(
        "with a file", [](auto& fs) { return WriteFile(fs, "/d/tmp/f", "f"); },
        [](Tree& tree) { tree["/d/tmp/f"] = "f"; });
    Add(
        "rename the directory",
        [](auto& fs) { return fs.RenameFile("/d/tmp", "/d/done", {}, nullptr); },
        [](Tree& tree) {
          tree.erase("/d/tmp");
          tree.erase("/d/tmp/f");
          tree["/d/done"] = kDirectory;
          tree["/d/done/f"] = "f";
        });
    Add(
        "delete its file", [](auto& fs) { return fs.DeleteFile("/d/done/f", {}, nullptr); },
        [](Tree& tree) { tree.erase("/d/done/f"); });
    Add(
        "remove the directory", [](auto& fs) { return fs.DeleteDir("/d/done", {}, nullptr); },
        [](Tree& tree) { tree.erase("/d/done"); });
    Add(
        "delete the file", [](auto& fs) { return fs.DeleteFile("/d/moved", {}, nullptr); },
        [](Tree& tree) { tree.erase("/d/moved"); });
  }

  const std::vector<Step>& steps() const { return steps_; }

 private:
  void Add(const char* what, std::function<IOStatus(rocksdb::FileSystem&)> run,
           std::function<void(Tree&)> after) {
    steps_.push_back({what, std::move(run), std::move(after)});
  }

  std::vector<Step> steps_;
};

std::optional<std::string> At(const Tree& tree, const std::string& path) {
  const auto found = tree.find(path);
  if (found == tree.end()) return std::nullopt;
  return found->second;
}

// Every path is as it was before the step or as it is after it; what the step moves is somewhere.
void ExpectBetween(const Tree& before, const Tree& after, const Tree& found) {
  Tree all = before;
  all.insert(after.begin(), after.end());
  all.insert(found.begin(), found.end());
  for (const auto& [path, content] : all) {
    const auto now = At(found, path);
    EXPECT_TRUE(now == At(before, path) || now == At(after, path))
        << path << ": " << now.value_or("<none>");
  }
  for (const auto& [path, content] : before) {
    if (At(after, path) == content || content.empty() || content == kDirectory) continue;
    const bool kept_by_step =
        std::ranges::any_of(after, [&content](const auto& file) { return file.second == content; });
    if (!kept_by_step) continue;
    EXPECT_TRUE(
        std::ranges::any_of(found, [&content](const auto& file) { return file.second == content; }))
        << path << " is lost while it was moved";
  }
}

// The progress of a process that ended at its `crash_at`th operation.
struct Outcome {
  Tree before;
  Tree after;
  bool finished = false;
};

Outcome RunUntilCrash(Process& process, uint64_t crash_at) {
  Outcome outcome;
  process.store->FaultAfter(crash_at, ObjectFault::kCrash);
  const Script script;
  for (const Step& step : script.steps()) {
    outcome.before = outcome.after;
    step.after(outcome.after);
    const IOStatus status = step.run(process.fs());
    // For the same operations in each run.
    process.files->WaitForRemovals();
    if (process.store->crashed()) return outcome;
    EXPECT_TRUE(status.ok()) << step.what << ": " << status.ToString();
  }
  outcome.before = outcome.after;
  outcome.finished = true;
  return outcome;
}

TEST(RadosCrashTest, ACrashAtAnyOperationLeavesNothingHalfDone) {
  for (uint64_t crash_at = 0;; crash_at += Stride()) {
    SCOPED_TRACE(crash_at);
    TestCluster cluster;
    Outcome outcome;
    {
      Process process = cluster.Start(crash_at + 1);
      outcome = RunUntilCrash(process, crash_at);
    }
    Process next = cluster.Start(2);
    ExpectBetween(outcome.before, outcome.after, TreeOf(next.fs()));
    for (const auto& [path, content] : TreeOf(next.fs()))
      if (content == kDirectory) ASSERT_TRUE(next.files->Take(path).has_value());
    const Tree taken = TreeOf(next.fs());
    ExpectBetween(outcome.before, outcome.after, taken);

    const Result<GarbageCount> collected = next.files->CollectGarbage();
    ASSERT_TRUE(collected.has_value()) << collected.error().ToString();
    EXPECT_EQ(Orphans(cluster, *next.store), std::set<std::string>());
    EXPECT_EQ(TreeOf(next.fs()), taken);
    EXPECT_EQ(next.files->CollectGarbage()->objects_removed, 0u) << "once is enough";
    EXPECT_TRUE(FsyncDirectory(next.fs(), "/").ok());
    if (outcome.finished) break;
    ASSERT_LT(crash_at, 500u);
  }
}

// The same with lost answers instead of a crash: the process lives on, and takes its directories
// again when it wants to go on.
TEST(RadosCrashTest, ALostAnswerAtAnyOperationLeavesNothingHalfDone) {
  for (const ObjectFault fault : {ObjectFault::kLostRequest, ObjectFault::kLostAnswer}) {
    for (uint64_t fault_at = 0;; fault_at += Stride()) {
      SCOPED_TRACE(fault_at);
      TestCluster cluster;
      Process process = cluster.Start(1);
      process.store->FaultAfter(fault_at, fault);
      Tree before;
      Tree after;
      bool failed = false;
      const Script script;
      for (const Step& step : script.steps()) {
        before = after;
        step.after(after);
        failed = !step.run(process.fs()).ok();
        process.files->WaitForRemovals();
        if (failed) break;
      }
      if (!failed) before = after;
      const bool met = process.store->calls() > fault_at;
      process.store->FaultAfter(UINT32_MAX, fault);
      for (const auto& [path, content] : TreeOf(cluster.Start(2).fs()))
        if (content == kDirectory) ASSERT_TRUE(process.files->Take(path).has_value());
      const Tree found = TreeOf(process.fs());
      ExpectBetween(before, after, found);
      ASSERT_TRUE(process.files->CollectGarbage().has_value());
      process.files->WaitForRemovals();
      EXPECT_EQ(Orphans(cluster, *process.store), std::set<std::string>());
      EXPECT_EQ(TreeOf(process.fs()), found);
      if (!met) break;
      ASSERT_LT(fault_at, 500u);
    }
  }
}

}  // namespace
}  // namespace orrery::storage::rados
