#include "api/sql/function/function_testing.h"

namespace orrery::sql {
namespace {

class ClockFunctionsTest : public FunctionTest {
 protected:
  // 2024-10-14T14:20:30.666888Z; the query began then.
  ClockFunctionsTest() {
    clock_.Advance(Micros(1'728'915'630'666'888) - clock_.Now());
    context_.query_start = clock_.Now();
  }
};

TEST_F(ClockFunctionsTest, AsDocumented) {
  Expect({
      {"GETCURRENTDATETIME", "", R"("2024-10-14T14:20:30.6668880Z")"},
      {"GETCURRENTTICKS", "", "17289156306668880"},
      {"GETCURRENTTIMESTAMP", "", "1728915630666"},
      {"NOW", "", R"("2024-10-14T14:20:30.6668880Z")"},
      {"NOW", R"("yyyy", 1)", R"("2025-10-14T14:20:30.6668880Z")"},
      {"NOW", R"("yyyy", -1)", R"("2023-10-14T14:20:30.6668880Z")"},
      {"NOW", R"("ss", 30)", R"("2024-10-14T14:21:00.6668880Z")"},
      {"NOW", R"("ms", 4)", R"("2024-10-14T14:20:30.6708880Z")"},
      {"AGO", R"("yyyy", 1)", R"("2023-10-14T14:20:30.6668880Z")"},
      {"AGO", R"("yyyy", -1)", R"("2025-10-14T14:20:30.6668880Z")"},
      {"AGO", R"("ss", 30)", R"("2024-10-14T14:20:00.6668880Z")"},
      {"AGO", R"("ms", 4)", R"("2024-10-14T14:20:30.6628880Z")"},
      {"AGO", R"("eons", 4)", "undefined"},
      {"AGO", R"("yyyy", 9000)", "undefined"},
      {"AGO", R"("ms", -9223372036854775808)", "undefined"},
      {"AGO", "5, 5", "undefined"},
      {"NOW", R"("yyyy")", "undefined"},
  });
}

TEST_F(ClockFunctionsTest, StaticOnesStandStill) {
  clock_.Advance(std::chrono::seconds(5));
  Expect({
      {"GETCURRENTDATETIME", "", R"("2024-10-14T14:20:35.6668880Z")"},
      {"GETCURRENTDATETIMESTATIC", "", R"("2024-10-14T14:20:30.6668880Z")"},
      {"GETCURRENTTICKSSTATIC", "", "17289156306668880"},
      {"GETCURRENTTIMESTAMPSTATIC", "", "1728915630666"},
  });
}

}  // namespace
}  // namespace orrery::sql
