// Tests of Engine::Open and Destroy on directories in all states.
#include <fmt/core.h>
#include <rocksdb/file_system.h>

#include <chrono>
#include <fstream>
#include <thread>

#include "storage/engine/engine_testing.h"
#include "storage/fault/fault_file_system.h"
#include "storage/log/log_mark.h"
#include "storage/log/log_scan.h"
#include "storage/lost_writes.h"

namespace orrery::storage {
namespace {

namespace fs = std::filesystem;

class EngineOpenTest : public EngineTest {
 protected:
  Result<std::unique_ptr<Engine>> TryOpen(const std::string& path) {
    return Engine::Open(resources_, {.path = path});
  }
  std::string TheLog(const std::string& path) {
    for (const auto& entry : fs::directory_iterator(path)) {
      if (entry.path().extension() == ".log" && entry.file_size() > 0) return entry.path();
    }
    return {};
  }
  // An engine with ten durable one-key batches in its log.
  std::string Sample() {
    const std::string path = directory_ / "sample";
    auto engine = Open({.path = path});
    for (int i = 0; i < 10; ++i) {
      EXPECT_TRUE(PutOne(*engine, "key" + std::to_string(i), std::string(100, 'v')));
    }
    return path;
  }
};

TEST_F(EngineOpenTest, SaysWhenThereIsNoneOrOneAlready) {
  const std::string path = directory_ / "engine";
  EXPECT_EQ(CodeOf(Engine::Open(resources_, {.path = path, .create_if_missing = false})),
            Code::kNotFound);
  EXPECT_FALSE(fs::exists(path)) << "a refused open left something behind";
  Open({.path = path});
  EXPECT_EQ(CodeOf(Engine::Open(resources_, {.path = path, .error_if_exists = true})),
            Code::kAlreadyExists);
  Open({.path = path, .create_if_missing = false});
}

TEST_F(EngineOpenTest, AMissingLogIsNoticed) {
  const std::string path = Sample();
  const std::string log = TheLog(path);
  ASSERT_NE(log, "");
  fs::rename(log, log + ".away");
  for (const auto& entry : fs::directory_iterator(path)) {
    if (entry.path().extension() == ".log") fs::remove(entry.path());
  }
  const auto refused = TryOpen(path);
  ASSERT_EQ(CodeOf(refused), Code::kCorruption);
  EXPECT_NE(refused.error().message().find("is missing"), std::string::npos);
  fs::rename(log + ".away", log);
  {
    const auto engine = TryOpen(path);
    ASSERT_TRUE(engine.has_value()) << engine.error().ToString();
    EXPECT_EQ(Read(**engine, "key9"), std::string(100, 'v'));
  }
  // It can be accepted.
  for (const auto& entry : fs::directory_iterator(path)) {
    if (entry.path().extension() == ".log") fs::remove(entry.path());
  }
  EXPECT_EQ(CodeOf(TryOpen(path)), Code::kCorruption);
  EngineResources accepting;
  AcceptLostWrites(accepting);
  EXPECT_TRUE(Engine::Open(accepting, {.path = path}).has_value());
}

TEST_F(EngineOpenTest, ACutLogIsNoticed) {
  const std::string path = Sample();
  const std::string log = TheLog(path);
  ASSERT_NE(log, "");
  // Sample's last writes were noted when it was closed.
  const uint64_t whole = fs::file_size(log);
  for (const uint64_t size : {whole - 1, whole - 200, whole / 2, uint64_t{0}}) {
    fs::copy_file(log, log + ".whole");
    fs::resize_file(log, size);
    const auto refused = TryOpen(path);
    ASSERT_EQ(CodeOf(refused), Code::kCorruption) << size;
    EXPECT_NE(refused.error().message().find("was cut or damaged"), std::string::npos);
    EXPECT_NE(refused.error().message().find("--accept-lost-writes"), std::string::npos);
    fs::rename(log + ".whole", log);
  }
  const auto engine = TryOpen(path);
  ASSERT_TRUE(engine.has_value()) << engine.error().ToString();
  EXPECT_EQ(Read(**engine, "key9"), std::string(100, 'v'));
}

TEST_F(EngineOpenTest, ACutLogCanBeAccepted) {
  const std::string path = Sample();
  const std::string log = TheLog(path);
  fs::resize_file(log, fs::file_size(log) / 2);
  {
    EngineResources accepting;
    AcceptLostWrites(accepting);
    const auto engine = Engine::Open(accepting, {.path = path});
    ASSERT_TRUE(engine.has_value()) << engine.error().ToString();
    EXPECT_EQ(Read(**engine, "key0"), std::string(100, 'v'));
    EXPECT_EQ(Read(**engine, "key9"), std::nullopt);
    ASSERT_OK(PutOne(**engine, "key9", "again"));
  }
  const auto engine = TryOpen(path);
  ASSERT_TRUE(engine.has_value()) << engine.error().ToString();
  EXPECT_EQ(Read(**engine, "key9"), "again");
}

TEST_F(EngineOpenTest, ATornTailBehindWhatWasNotedIsDropped) {
  const std::string path = Sample();
  const std::string log = TheLog(path);
  std::ofstream(log, std::ios::app | std::ios::binary) << std::string(50, 'g');
  const auto engine = TryOpen(path);
  ASSERT_TRUE(engine.has_value()) << engine.error().ToString();
  EXPECT_EQ(Read(**engine, "key9"), std::string(100, 'v'));
}

TEST_F(EngineOpenTest, SyncsAreNotedWhileTheEngineIsOpen) {
  const std::string path = directory_ / "noted";
  const auto engine = Open({.path = path});
  for (int i = 0; i < 10; ++i) ASSERT_OK(PutOne(*engine, "key" + std::to_string(i), "v"));
  std::optional<LogNote> note;
  // All but what the last pause brought.
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  const uint64_t written = fs::file_size(TheLog(path));
  while (!note.has_value() || note->bytes < written) {
    ASSERT_LT(std::chrono::steady_clock::now(), deadline);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    note = ReadLogNote(*rocksdb::FileSystem::Default(), path);
  }
  EXPECT_EQ(note->bytes, written);
  EXPECT_EQ(fs::path(TheLog(path)).stem(), fmt::format("{:06}", note->number));
}

TEST_F(EngineOpenTest, ALaterLogThatIsMissingIsNoticed) {
  const std::string path = directory_ / "later";
  {
    const auto engine = Open({.path = path});
    for (int i = 0; i < 10; ++i) ASSERT_OK(PutOne(*engine, "key" + std::to_string(i), "v"));
    ASSERT_OK(engine->Flush());  // another log
    for (int i = 0; i < 10; ++i) ASSERT_OK(PutOne(*engine, "more" + std::to_string(i), "v"));
  }
  uint64_t newest = 0;
  for (const auto& entry : fs::directory_iterator(path))
    newest = std::max(newest, LogNumber(entry.path().filename().string()).value_or(0));
  fs::remove(fmt::format("{}/{:06}.log", path, newest));
  std::ofstream(fmt::format("{}/{:06}.log", path, newest - 1)) << "";
  const auto refused = TryOpen(path);
  ASSERT_EQ(CodeOf(refused), Code::kCorruption);
  EXPECT_NE(refused.error().message().find("is missing"), std::string::npos);
}

TEST_F(EngineOpenTest, ASecondOpenIsRefused) {
  const auto engine = Open();
  const auto second = TryOpen(engine->path());
  EXPECT_EQ(CodeOf(second), Code::kUnavailable);
  EXPECT_NE(second.error().message().find("open"), std::string::npos);
  EXPECT_EQ(CodeOf(Engine::Destroy(resources_, engine->path())), Code::kUnavailable);
  ASSERT_OK(PutOne(*engine, "still", "works"));
}

TEST_F(EngineOpenTest, ForeignDirectoriesAreLeftAlone) {
  const std::string path = directory_ / "photos";
  fs::create_directory(path);
  std::ofstream(path + "/cat.jpg") << "meow";
  EXPECT_EQ(CodeOf(TryOpen(path)), Code::kInvalidArgument);
  EXPECT_EQ(CodeOf(TryOpen(path + "/cat.jpg")), Code::kInvalidArgument);
  EXPECT_EQ(CodeOf(TryOpen(directory_ / "no/such/parent")), Code::kNotFound);
  EXPECT_EQ(CodeOf(Engine::Destroy(resources_, path)), Code::kInvalidArgument);
  EXPECT_EQ(std::distance(fs::directory_iterator(path), {}), 1);
}

TEST_F(EngineOpenTest, AnEmptyDirectoryIsFilled) {
  const std::string path = directory_ / "empty";
  fs::create_directory(path);
  EXPECT_NE(Open({.path = path}), nullptr);
}

TEST_F(EngineOpenTest, AnEngineWithoutCurrentIsNotReplacedByAFreshOne) {
  const std::string path = Sample();
  fs::remove(path + "/CURRENT");
  EXPECT_EQ(CodeOf(TryOpen(path)), Code::kCorruption);
  EXPECT_NE(TheLog(path), "");
}

TEST_F(EngineOpenTest, AMissingTableFileIsFoundAtOpen) {
  const std::string path = Sample();
  ASSERT_OK(Open({.path = path})->Flush());
  for (const auto& entry : fs::directory_iterator(path)) {
    if (entry.path().extension() == ".sst") fs::remove(entry.path());
  }
  EXPECT_EQ(CodeOf(TryOpen(path)), Code::kCorruption);
}

TEST_F(EngineOpenTest, AGarbledManifestIsCorruption) {
  const std::string path = Sample();
  for (const auto& entry : fs::directory_iterator(path)) {
    if (entry.path().filename().string().starts_with("MANIFEST")) {
      ASSERT_OK(FaultFileSystem::CorruptByte(entry.path(), 20));
    }
  }
  EXPECT_EQ(CodeOf(TryOpen(path)), Code::kCorruption);
}

TEST_F(EngineOpenTest, AGarbledEndOfTheManifestIsCutOff) {
  const std::string path = Sample();
  for (const auto& entry : fs::directory_iterator(path)) {
    if (entry.path().filename().string().starts_with("MANIFEST")) {
      std::ofstream(entry.path(), std::ios::app) << std::string(20, '\0') << "never synced";
    }
  }
  EXPECT_EQ(ContentOf(*Open({.path = path})).size(), 10u);
}

TEST_F(EngineOpenTest, AGarbledTableIsCorruptionWhenRead) {
  const std::string path = Sample();
  ASSERT_OK(Open({.path = path})->Flush());
  for (const auto& entry : fs::directory_iterator(path)) {
    if (entry.path().extension() == ".sst") {
      ASSERT_OK(FaultFileSystem::CorruptByte(entry.path(), 10));
    }
  }
  EngineResources cold;
  const auto engine = *Engine::Open(cold, {.path = path});
  PinnedValue value;
  EXPECT_EQ(CodeOf(engine->Get("key1", value)), Code::kCorruption);
}

TEST_F(EngineOpenTest, ATornEndOfTheLogIsDropped) {
  const std::string path = Sample();
  const std::string log = TheLog(path);
  fs::remove(path + "/NEWEST-LOG");  // the last record was not synced
  fs::resize_file(log, fs::file_size(log) - 30);
  EXPECT_EQ(ContentOf(*Open({.path = path})).size(), 9u);
}

TEST_F(EngineOpenTest, AGarbledEndOfTheLogIsDropped) {
  const std::string path = Sample();
  const std::string log = TheLog(path);
  ASSERT_OK(FaultFileSystem::CorruptByte(log, fs::file_size(log) - 30));
  EXPECT_EQ(CodeOf(TryOpen(path)), Code::kCorruption) << "it was synced";
  fs::remove(path + "/NEWEST-LOG");
  EXPECT_EQ(ContentOf(*Open({.path = path})).size(), 9u);
}

TEST_F(EngineOpenTest, DamageInTheMiddleOfTheLogIsNotDroppedSilently) {
  const std::string path = Sample();
  const std::string log = TheLog(path);
  const uint64_t middle = fs::file_size(log) / 2;
  ASSERT_OK(FaultFileSystem::CorruptByte(log, middle));
  const auto opened = TryOpen(path);
  EXPECT_EQ(CodeOf(opened), Code::kCorruption);
  EXPECT_NE(opened.error().message().find(log), std::string::npos);
  ASSERT_OK(FaultFileSystem::CorruptByte(log, middle));  // mended
  EXPECT_EQ(ContentOf(*Open({.path = path})).size(), 10u);
}

TEST_F(EngineOpenTest, DamageAmongUnsyncedWritesEndsTheLogThere) {
  const std::string path = directory_ / "os";
  {
    auto engine = Open({.path = path});
    for (int i = 0; i < 10; ++i) {
      ASSERT_OK(PutOne(*engine, "key" + std::to_string(i), std::string(100, 'v'), Durability::kOs));
    }
  }
  const std::string log = TheLog(path);
  ASSERT_OK(FaultFileSystem::CorruptByte(log, fs::file_size(log) / 2));
  const Content left = ContentOf(*Open({.path = path}));
  EXPECT_EQ(left.size(), 5u);
  EXPECT_TRUE(left.contains("key4"));
}

// Writes that bypassed the log leave empty logs behind.
TEST_F(EngineOpenTest, UnsyncedWritesAfterUnloggedOnesStay) {
  const std::string path = directory_ / "filled";
  {
    auto engine = Open({.path = path});
    for (int i = 0; i < 2; ++i) {
      Batch batch;
      batch.Put("filled" + std::to_string(i), "v");
      ASSERT_OK(engine->WriteUnlogged(batch));
      ASSERT_OK(engine->Flush());
    }
  }
  {
    auto engine = Open({.path = path});
    ASSERT_OK(PutOne(*engine, "unsynced", "v", Durability::kOs));
    ASSERT_OK(engine->Flush());
    ASSERT_OK(PutOne(*engine, "unsynced too", "v", Durability::kOs));
  }
  EXPECT_EQ(ContentOf(*Open({.path = path})).size(), 4u);
}

// After a start that writes durably again, damage is damage.
TEST_F(EngineOpenTest, TheMarkOfUnsyncedWritesGoesWithTheNextOpening) {
  const std::string path = directory_ / "os";
  ASSERT_OK(PutOne(*Open({.path = path}), "unsynced", "v", Durability::kOs));
  EXPECT_TRUE(fs::exists(path + "/UNSYNCED"));
  {
    auto engine = Open({.path = path});
    EXPECT_FALSE(fs::exists(path + "/UNSYNCED"));
    for (int i = 0; i < 10; ++i) ASSERT_OK(PutOne(*engine, "key", std::string(100, 'v')));
  }
  const std::string log = TheLog(path);
  ASSERT_OK(FaultFileSystem::CorruptByte(log, fs::file_size(log) / 2));
  EXPECT_EQ(CodeOf(TryOpen(path)), Code::kCorruption);
  ASSERT_OK(PutOne(*Open({.path = directory_ / "other"}), "k", "v", Durability::kOs));
  ASSERT_OK(Engine::Destroy(resources_, directory_ / "other"));
}

TEST_F(EngineOpenTest, DestroyRemovesEverythingAndIsRepeatable) {
  const std::string path = Sample();
  ASSERT_OK(Open({.path = path})->Flush());
  fs::create_directory(path + ".tmp");  // of an interrupted checkpoint
  std::ofstream(path + ".tmp/000012.sst") << "x";
  ASSERT_OK(Engine::Destroy(resources_, path));
  EXPECT_TRUE(fs::is_empty(directory_.path()));
  ASSERT_OK(Engine::Destroy(resources_, path));
  EXPECT_TRUE(ContentOf(*Open({.path = path})).empty());
}

}  // namespace
}  // namespace orrery::storage
