// Checkpoints, salvage, dropped ranges, compaction, unlogged writes.
#include <fmt/core.h>
#include <sys/stat.h>

#include "storage/engine/engine_testing.h"

namespace orrery::storage {
namespace {

namespace fs = std::filesystem;

using EngineFilesTest = EngineTest;

Content Numbered(int begin, int end, size_t value_bytes = 10) {
  Content content;
  for (int i = begin; i < end; ++i) {
    content[fmt::format("{:06}", i)] = std::string(value_bytes, static_cast<char>('a' + i % 26));
  }
  return content;
}

Status PutAll(Engine& engine, const Content& content) {
  Batch batch;
  for (const auto& [key, value] : content) batch.Put(key, value);
  return engine.Write(batch, Durability::kOs);
}

TEST_F(EngineFilesTest, ACheckpointLinksTablesAndStandsAlone) {
  auto engine = Open();
  const Content before = Numbered(0, 100);
  ASSERT_OK(PutAll(*engine, Numbered(0, 50)));
  ASSERT_OK(engine->Flush());
  ASSERT_OK(PutAll(*engine, Numbered(50, 100)));  // in the memtable only
  const std::string child_path = directory_ / "child";
  ASSERT_OK(engine->CheckpointTo(child_path));
  EXPECT_FALSE(fs::exists(child_path + ".tmp"));
  int tables = 0;
  for (const auto& entry : fs::directory_iterator(child_path)) {
    struct stat status;
    ASSERT_EQ(stat(entry.path().c_str(), &status), 0);
    if (entry.path().extension() == ".sst") {
      ++tables;
      EXPECT_EQ(status.st_nlink, 2u) << entry.path() << " was copied";
    }
    if (entry.path().extension() == ".log") EXPECT_EQ(status.st_size, 0);
  }
  EXPECT_EQ(tables, 2);

  ASSERT_OK(PutAll(*engine, Numbered(100, 110)));
  auto child = Open({.path = child_path});
  EXPECT_EQ(ContentOf(*child), before);
  ASSERT_OK(PutOne(*child, "child", "only"));
  ASSERT_OK(child->Compact("", ""));
  EXPECT_EQ(ContentOf(*engine), Numbered(0, 110));
  child.reset();
  ASSERT_OK(Engine::Destroy(resources_, child_path));
  ASSERT_OK(engine->Compact("", ""));
  EXPECT_EQ(ContentOf(*engine), Numbered(0, 110));
}

TEST_F(EngineFilesTest, ACheckpointNeverReplaces) {
  auto engine = Open();
  ASSERT_OK(engine->CheckpointTo(directory_ / "child"));
  EXPECT_EQ(CodeOf(engine->CheckpointTo(directory_ / "child")), Code::kAlreadyExists);
}

TEST_F(EngineFilesTest, DropRangeGivesWholeFilesBackAtOnce) {
  auto engine = Open();
  for (int part = 0; part < 3; ++part) {
    ASSERT_OK(PutAll(*engine, Numbered(part * 1000, part * 1000 + 1000, 200)));
    ASSERT_OK(engine->Compact(fmt::format("{:06}", part * 1000),
                              fmt::format("{:06}", part * 1000 + 1000)));
  }
  ASSERT_EQ(engine->Stats().table_files, 3u);
  // The middle file whole, a part of the first, and exactly not the first key of the last.
  ASSERT_OK(engine->DropRange("000500", "002000"));
  EXPECT_EQ(engine->Stats().table_files, 2u);
  Content rest = Numbered(0, 500, 200);
  rest.merge(Numbered(2000, 3000, 200));
  EXPECT_EQ(ContentOf(*engine), rest);
  engine.reset();
  EXPECT_EQ(ContentOf(*Open()), rest);
}

TEST_F(EngineFilesTest, DropRangeHidesOlderVersionsBelowToo) {
  auto engine = Open();
  ASSERT_OK(PutAll(*engine, Numbered(0, 100)));
  ASSERT_OK(engine->Compact("", ""));
  ASSERT_OK(PutAll(*engine, Numbered(40, 60, 20)));
  ASSERT_OK(engine->Flush());
  ASSERT_OK(engine->DropRange("000040", "000060"));
  Content rest = Numbered(0, 40);
  rest.merge(Numbered(60, 100));
  EXPECT_EQ(ContentOf(*engine), rest);
  EXPECT_EQ(CodeOf(engine->DropRange("b", "b")), Code::kInvalidArgument);
}

TEST_F(EngineFilesTest, WhatWasWrittenUnloggedIsDurableAfterAFlush) {
  auto engine = Open();
  Batch batch;
  for (const auto& [key, value] : Numbered(0, 30)) batch.Put(key, value);
  ASSERT_OK(engine->WriteUnlogged(batch));
  EXPECT_EQ(ContentOf(*engine), Numbered(0, 30));
  ASSERT_OK(engine->Flush());
  ASSERT_OK(PutAll(*engine, Numbered(30, 40)));
  engine.reset();
  EXPECT_EQ(ContentOf(*Open()), Numbered(0, 40));
}

TEST_F(EngineFilesTest, ASalvagedCopyHasEverythingAndStandsAlone) {
  auto engine = Open();
  ASSERT_OK(PutAll(*engine, Numbered(0, 50)));
  ASSERT_OK(engine->Flush());
  ASSERT_OK(PutAll(*engine, Numbered(50, 100)));  // in the log only
  const std::string copy_path = directory_ / "copy";
  ASSERT_OK(engine->SalvageTo(copy_path));
  EXPECT_EQ(CodeOf(engine->SalvageTo(copy_path)), Code::kAlreadyExists);
  auto copy = Open({.path = copy_path, .create_if_missing = false});
  EXPECT_EQ(ContentOf(*copy), Numbered(0, 100));
  ASSERT_OK(PutAll(*copy, Numbered(100, 110)));
  EXPECT_EQ(ContentOf(*engine), Numbered(0, 100));
  const std::string first_path = engine->path();
  engine.reset();
  ASSERT_OK(Engine::Destroy(resources_, first_path));
  copy.reset();
  EXPECT_EQ(ContentOf(*Open({.path = copy_path})), Numbered(0, 110));
}

}  // namespace
}  // namespace orrery::storage
