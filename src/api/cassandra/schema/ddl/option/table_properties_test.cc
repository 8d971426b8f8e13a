#include "api/cassandra/schema/ddl/option/table_properties.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "api/cassandra/parser/parser.h"

namespace orrery::cassandra {
namespace {

CqlResult<TableProperties> Read(std::string_view options, const TableOptions* former = nullptr) {
  const auto parsed =
      ParseStatement(fmt::format("CREATE TABLE t (k int PRIMARY KEY) WITH {}", options));
  EXPECT_TRUE(parsed.has_value()) << options;
  return ReadTableProperties(std::get<ast::CreateTable>(parsed->statement).properties, former, {});
}

TableOptions Options(std::string_view options) {
  const auto read = Read(options);
  EXPECT_TRUE(read.has_value()) << options << ": " << read.error().message;
  return read.has_value() ? read->options : TableOptions();
}

std::string Refused(std::string_view options) {
  const auto read = Read(options);
  EXPECT_FALSE(read.has_value()) << options;
  if (read.has_value()) return "";
  return (read.error().code == ErrorCode::kSyntaxError ? "syntax: " : "") + read.error().message;
}

TEST(TableProperties, AreReadByName) {
  const TableOptions options = Options(
      "comment = 'x' AND gc_grace_seconds = 7 AND bloom_filter_fp_chance = 0.5 AND cdc = true AND "
      "crc_check_chance = 0.25 AND default_time_to_live = 8 AND max_index_interval = 512 AND "
      "min_index_interval = 256 AND memtable_flush_period_in_ms = 9 AND read_repair = 'none' AND "
      "memtable = 'default' AND extensions = {'e': 0xcafe}");
  EXPECT_EQ(options.comment, "x");
  EXPECT_EQ(options.gc_grace_seconds, 7);
  EXPECT_EQ(options.bloom_filter_fp_chance, 0.5);
  EXPECT_TRUE(options.cdc);
  EXPECT_EQ(options.crc_check_chance, 0.25);
  EXPECT_EQ(options.default_time_to_live, 8);
  EXPECT_EQ(options.max_index_interval, 512);
  EXPECT_EQ(options.min_index_interval, 256);
  EXPECT_EQ(options.memtable_flush_period_in_ms, 9);
  EXPECT_EQ(options.read_repair, "NONE");
  EXPECT_EQ(options.memtable, "");
  EXPECT_EQ(options.extensions.at("e"), "\xca\xfe");
}

TEST(TableProperties, HaveRanges) {
  EXPECT_EQ(Refused("bloom_filter_fp_chance = 0"),
            "bloom_filter_fp_chance must be larger than 6.71E-5 and less than or equal to 1.0 (got "
            "0.0)");
  EXPECT_EQ(Refused("crc_check_chance = 1.5"),
            "crc_check_chance must be larger than or equal to 0 and smaller than or equal to 1.0 "
            "(got 1.5)");
  EXPECT_EQ(Refused("default_time_to_live = -1"),
            "default_time_to_live must be greater than or equal to 0 (got -1)");
  EXPECT_EQ(Refused("default_time_to_live = 630720001"),
            "default_time_to_live must be less than or equal to 630720000 (got 630720001)");
  EXPECT_EQ(Refused("gc_grace_seconds = -1"),
            "gc_grace_seconds must be greater than or equal to 0 (got -1)");
  EXPECT_EQ(Refused("min_index_interval = 0"),
            "min_index_interval must be greater than or equal to 1 (got 0)");
  EXPECT_EQ(
      Refused("max_index_interval = 64"),
      "max_index_interval must be greater than or equal to min_index_interval (128) (got 64)");
  EXPECT_EQ(Refused("gc_grace_seconds = 'x'"),
            "syntax: Invalid integer value x for 'gc_grace_seconds'");
  EXPECT_EQ(Refused("comment = {'a': 'b'}"),
            "syntax: Invalid value for property 'comment'. It should be a string");
  EXPECT_EQ(Refused("read_repair_chance = 0.1"), "syntax: Unknown property 'read_repair_chance'");
  EXPECT_EQ(Refused("memtable = 'trie'"), "Memtable configuration \"trie\" not found.");
}

TEST(TableProperties, Compaction) {
  EXPECT_EQ(Options("compaction = {'class': 'SizeTieredCompactionStrategy'}"), TableOptions());
  const TableOptions leveled =
      Options("compaction = {'class': 'LeveledCompactionStrategy', 'sstable_size_in_mb': 10}");
  EXPECT_EQ(leveled.compaction.at("class"),
            "org.apache.cassandra.db.compaction.LeveledCompactionStrategy");
  EXPECT_EQ(leveled.compaction.at("sstable_size_in_mb"), "10");
  EXPECT_EQ(leveled.bloom_filter_fp_chance, 0.1);
  Options(
      "compaction = {'class': 'TimeWindowCompactionStrategy', 'compaction_window_size': 1, "
      "'compaction_window_unit': 'HOURS'}");
  EXPECT_EQ(Refused("compaction = {'enabled': true}"),
            "Missing sub-option 'class' for the 'compaction' option");
  EXPECT_EQ(Refused("compaction = {'class': 'Mine'}"),
            "Unable to find compaction strategy class 'org.apache.cassandra.db.compaction.Mine'");
  EXPECT_EQ(Refused("compaction = {'class': 'SizeTieredCompactionStrategy', 'x': 1}"),
            "Properties specified [x] are not understood by SizeTieredCompactionStrategy");
  EXPECT_EQ(Refused("compaction = {'class': 'SizeTieredCompactionStrategy', 'min_threshold': 40}"),
            "Min compaction threshold (got 40) cannot be greater than max compaction threshold "
            "(got 32)");
  EXPECT_EQ(Refused("compaction = {'class': 'SizeTieredCompactionStrategy', 'min_threshold': 1}"),
            "Min compaction threshold cannot be less than 2 (got 1)");
}

TEST(TableProperties, Compression) {
  const OptionMap disabled = {{"enabled", "false"}};
  EXPECT_EQ(Options("compression = {'enabled': 'false'}").compression, disabled);
  EXPECT_EQ(Options("compression = {'sstable_compression': ''}").compression, disabled);
  EXPECT_EQ(Options("compression = {}").compression, disabled);
  EXPECT_EQ(Options("compression = {'class': 'LZ4Compressor'}"), TableOptions());
  EXPECT_EQ(Options("compression = {'sstable_compression': 'SnappyCompressor', "
                    "'chunk_length_kb': 64, 'crc_check_chance': 0.5}")
                .compression,
            (OptionMap{{"class", "org.apache.cassandra.io.compress.SnappyCompressor"},
                       {"chunk_length_in_kb", "64"}}));
  EXPECT_EQ(Refused("compression = {'class': 'LZ4Compressor', 'chunk_length_in_kb': 3}"),
            "chunk_length_in_kb must be a power of 2");
  EXPECT_EQ(Refused("compression = {'class': 'Mine'}"),
            "Could not create Compression for type org.apache.cassandra.io.compress.Mine");
  EXPECT_EQ(Refused("compression = {'class': 'LZ4Compressor', 'x': 1}"),
            "Unknown compression options x");
  EXPECT_EQ(Refused("compression = {'chunk_length_in_kb': 4}"),
            "Missing sub-option 'class' for the 'compression' option.");
  EXPECT_EQ(Refused("compression = {'enabled': 'false', 'class': 'LZ4Compressor'}"),
            "If the 'enabled' option is set to false no other options must be specified");
}

TEST(TableProperties, Caching) {
  EXPECT_EQ(Options("caching = {'keys': 'none', 'rows_per_partition': 10}").caching,
            (OptionMap{{"keys", "NONE"}, {"rows_per_partition", "10"}}));
  EXPECT_EQ(Refused("caching = {'keys': 'some'}"),
            "Invalid value 'some' for caching sub-option 'keys': only 'ALL' and 'NONE' are "
            "allowed");
  EXPECT_EQ(Refused("caching = {'x': 'ALL'}"),
            "Invalid caching sub-options [x]: only 'keys' and 'rows_per_partition' are allowed");
}

TEST(TableProperties, RetryPolicies) {
  const auto kept = [](std::string_view given) {
    return Options(fmt::format("speculative_retry = '{}'", given)).speculative_retry;
  };
  EXPECT_EQ(kept("99PERCENTILE"), "99p");
  EXPECT_EQ(kept("99.50p"), "99.5p");
  EXPECT_EQ(kept("10.7ms"), "10ms");
  EXPECT_EQ(kept("always"), "ALWAYS");
  EXPECT_EQ(kept("NONE"), "NEVER");
  EXPECT_EQ(kept("min(50MS, 99p)"), "MIN(99p,50ms)");
  EXPECT_EQ(Refused("speculative_retry = 'sometimes'"),
            "Invalid value sometimes for option 'speculative_retry'");
  EXPECT_EQ(Refused("additional_write_policy = '100p'"),
            "Invalid value 100p for PERCENTILE option 'speculative_retry': must be between (0.0 "
            "and 100.0)");
  EXPECT_EQ(Refused("speculative_retry = 'MAX(1ms,2ms)'"),
            "Invalid value MAX(1ms,2ms) for option 'speculative_retry': MIN()/MAX() arguments "
            "should be of different types, but both are of type FIXED");
}

TEST(TableProperties, StartFromTheFormerOnes) {
  TableOptions former;
  former.comment = "old";
  former.bloom_filter_fp_chance = 0.3;
  const auto read =
      Read("compaction = {'class': 'LeveledCompactionStrategy'} AND gc_grace_seconds = 1", &former);
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->options.comment, "old");
  EXPECT_EQ(read->options.bloom_filter_fp_chance, 0.3);
  EXPECT_EQ(read->options.gc_grace_seconds, 1);
}

}  // namespace
}  // namespace orrery::cassandra
