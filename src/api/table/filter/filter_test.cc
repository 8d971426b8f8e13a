#include "api/table/filter/filter.h"

#include <gtest/gtest.h>

#include <map>

#include "api/table/filter/filter_parser.h"

namespace orrery::table {
namespace {

class MapReader final : public PropertyReader {
 public:
  explicit MapReader(std::map<std::string, EdmValue> values) : values_(std::move(values)) {}
  std::optional<EdmValue> Read(const std::string& name) const override {
    const auto found = values_.find(name);
    return found == values_.end() ? std::nullopt : std::optional(found->second);
  }

 private:
  const std::map<std::string, EdmValue> values_;
};

bool HoldsOf(std::string_view text) {
  const MapReader entity({{"i", EdmValue::Int32(5)},
                          {"l", EdmValue::Int64(9007199254740993)},
                          {"d", EdmValue::Double(1.5)},
                          {"s", EdmValue::String("it's")},
                          {"b", EdmValue::Boolean(true)},
                          {"g", EdmValue::Guid("00000000-0000-0000-0000-000000000001")}});
  const auto filter = ParseFilter(text);
  EXPECT_TRUE(filter.has_value()) << text << ": " << filter.error().message;
  return filter.has_value() && *filter != nullptr && Holds(**filter, entity);
}

TEST(Filter, Comparisons) {
  for (const std::string_view text : {"i eq 5",
                                      "5 eq i",
                                      "i eq 5L",
                                      "i eq 5.0",
                                      "i lt 6",
                                      "6 gt i",
                                      "i ge 5",
                                      "i le 5",
                                      "i ne 6",
                                      "l eq 9007199254740993L",
                                      "l gt 9007199254740992L",
                                      "l gt 9007199254740992.0",
                                      "d gt 1",
                                      "s eq 'it''s'",
                                      "b",
                                      "b eq TRUE",
                                      "not (i eq 6)",
                                      "i eq 6 or b",
                                      "i eq i",
                                      "true",
                                      "g eq guid'00000000-0000-0000-0000-000000000001'",
                                      "(i gt 4) eq true",
                                      "(i gt 5) ne true",
                                      "i gt -1",
                                      "i gt -1.5e0",
                                      "not not b",
                                      "((((b))))",
                                      "s gt 'I'"})
    EXPECT_TRUE(HoldsOf(text)) << text;
}

TEST(Filter, NotOfOtherTypesNorOfWhatIsMissing) {
  for (const std::string_view text :
       {"i eq '5'", "s eq 5", "g eq '00000000-0000-0000-0000-000000000001'", "none eq 1",
        "none ne 1", "none", "i", "s", "l eq 9007199254740992L", "l eq 9007199254740992.0", "false",
        "b and none eq 1", "not b", "i lt 5", "i gt 5"})
    EXPECT_FALSE(HoldsOf(text)) << text;
}

TEST(Filter, AndBindsStrongerThanOr) {
  EXPECT_TRUE(HoldsOf("b or none and none"));
  EXPECT_FALSE(HoldsOf("(b or none) and none"));
}

TEST(Filter, BlankTextWantsAll) {
  EXPECT_EQ(*ParseFilter(""), nullptr);
  EXPECT_EQ(*ParseFilter("  \t"), nullptr);
}

TEST(Filter, DepthAndLengthAreBounded) {
  EXPECT_FALSE(ParseFilter(std::string(10'000, '(')).has_value());
  EXPECT_FALSE(ParseFilter(std::string(kFilterBytesMax + 1, ' ')).has_value());
  std::string many = "b";
  for (int i = 0; i < 3'000; ++i) many += " or b";
  EXPECT_FALSE(ParseFilter(many).has_value());
}

TEST(Filter, GuidsCompareByTheirLastGroupFirst) {
  const auto guid = [](std::string_view text) { return EdmValue::Guid(*ParseGuid(text)); };
  EXPECT_TRUE(Compare(guid("ffffffff-0000-0000-0000-000000000000"),
                      guid("00000000-0000-0000-0000-000000000001")) < 0);
}

}  // namespace
}  // namespace orrery::table
