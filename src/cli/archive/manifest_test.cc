#include "cli/archive/manifest.h"

#include <gtest/gtest.h>

#include "model/document/document_builder.h"

namespace orrery::cli {
namespace {

model::Document With(int64_t segments, int64_t items) {
  model::DocumentBuilder builder;
  builder.OpenArray("containers")
      .OpenObject("0")
      .AppendInt64("segments", segments)
      .AppendInt64("items", items)
      .AppendInt64("mortal", 0)
      .AppendString("sum", Hash128{1, 2}.ToString())
      .Close();
  builder.Close();
  return std::move(builder).Finish();
}

TEST(ManifestTest, ComesBackAsItWas) {
  const Manifest manifest = {{.segments = 3, .digest = {.items = 5, .mortal = 1, .sum = {1, 2}}},
                             {}};
  const auto read = ManifestFrom(ToDocument(manifest));
  ASSERT_TRUE(read.has_value()) << read.error().ToString();
  EXPECT_EQ(*read, manifest);
  EXPECT_TRUE(ManifestFrom(With(3, 5)).has_value());
}

TEST(ManifestTest, NumbersThatCountNothingAreRefused) {
  EXPECT_FALSE(ManifestFrom(With(-1, 5)).has_value());
  EXPECT_FALSE(ManifestFrom(With(int64_t{1} << 32, 5)).has_value());
  EXPECT_FALSE(ManifestFrom(With(3, -5)).has_value());
  EXPECT_FALSE(ManifestFrom(model::DocumentBuilder().Finish()).has_value());
}

}  // namespace
}  // namespace orrery::cli
