// The fixture that tests of engines share.
#pragma once

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "base/log.h"
#include "storage/engine/engine.h"
#include "storage/resources.h"

namespace orrery::storage {

// A directory that goes with the test.
class TemporaryDirectory {
 public:
  TemporaryDirectory() : path_(testing::TempDir() + "orrery-XXXXXX") {
    EXPECT_NE(mkdtemp(path_.data()), nullptr);
  }
  ~TemporaryDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  const std::string& path() const { return path_; }
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

// Returns "key007" for 7: keys whose order is that of the numbers, up to 999.
inline std::string NumberedKey(int i) { return fmt::format("key{:03}", i); }

using Content = std::map<std::string, std::string>;

inline Content ContentOf(const Engine& engine, ScanOptions options = {}) {
  Content content;
  const std::unique_ptr<Iterator> it = engine.NewIterator(std::move(options));
  for (it->SeekToFirst(); it->Valid(); it->Next()) content.emplace(it->key(), it->value());
  const Status status = it->status();
  EXPECT_TRUE(status.has_value()) << status.error().ToString();
  return content;
}

inline Status PutOne(Engine& engine, std::string_view key, std::string_view value,
                     Durability durability = Durability::kDurable) {
  Batch batch;
  batch.Put(key, value);
  return engine.Write(batch, durability);
}

inline std::optional<std::string> Read(const Engine& engine, std::string_view key,
                                       const Snapshot* snapshot = nullptr) {
  PinnedValue value;
  const Result<bool> found = engine.Get(key, value, ReadMode::kMayBlock, snapshot);
  EXPECT_TRUE(found.has_value()) << found.error().ToString();
  if (!found.has_value() || !*found) return std::nullopt;
  return std::string(value.view());
}

template <typename T>
Code CodeOf(const Result<T>& result) {
  EXPECT_FALSE(result.has_value());
  return result.has_value() ? Code::kInternal : result.error().code();
}

// Adds decimal numbers.
class SumRule final : public MergeRule {
 public:
  bool Merge(std::string_view /*key*/, std::optional<std::string_view> existing,
             const std::vector<std::string_view>& operands, bool /*partial*/,
             std::string& merged) const override {
    long sum = 0;
    if (existing.has_value() && !Add(*existing, sum)) return false;
    for (const std::string_view operand : operands) {
      if (!Add(operand, sum)) return false;
    }
    merged = std::to_string(sum);
    return true;
  }

 private:
  static bool Add(std::string_view number, long& sum) {
    if (number.empty() || number.find_first_not_of("0123456789") != number.npos) return false;
    sum += std::stol(std::string(number));
    return true;
  }
};

class EngineTest : public testing::Test {
 protected:
  EngineTest() { SetLogLevel(LogLevel::kError); }

  std::unique_ptr<Engine> Open(EngineOptions options) {
    if (options.path.empty()) options.path = directory_ / "engine";
    Result<std::unique_ptr<Engine>> engine = Engine::Open(resources_, std::move(options));
    EXPECT_TRUE(engine.has_value()) << engine.error().ToString();
    return engine.has_value() ? std::move(*engine) : nullptr;
  }
  std::unique_ptr<Engine> Open() { return Open(EngineOptions{}); }

  TemporaryDirectory directory_;
  EngineResources resources_{ResourceOptions{.block_cache_bytes = 8 << 20}};
};

#define ASSERT_OK(expr)                                                   \
  do {                                                                    \
    const auto assert_ok_ = (expr);                                       \
    ASSERT_TRUE(assert_ok_.has_value()) << assert_ok_.error().ToString(); \
  } while (false)

}  // namespace orrery::storage
