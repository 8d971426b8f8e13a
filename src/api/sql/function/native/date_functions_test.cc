#include "api/sql/function/function_testing.h"

namespace orrery::sql {
namespace {

using DateFunctionsTest = FunctionTest;

TEST_F(DateFunctionsTest, AddAsDocumented) {
  const auto add = [this](std::string_view part_and_count, std::string_view result) {
    Expect({{"DATETIMEADD", std::string(part_and_count) + R"(, "2020-07-03T00:00:00.0000000")",
             result}});
  };
  add(R"("yyyy", 1)", R"("2021-07-03T00:00:00.0000000Z")");
  add(R"("mm", 1)", R"("2020-08-03T00:00:00.0000000Z")");
  add(R"("dd", 1)", R"("2020-07-04T00:00:00.0000000Z")");
  add(R"("hh", -1)", R"("2020-07-02T23:00:00.0000000Z")");
  add(R"("yyyy", -1)", R"("2019-07-03T00:00:00.0000000Z")");
  add(R"("ss", -25)", R"("2020-07-02T23:59:35.0000000Z")");
  add(R"("mi", 1)", R"("2020-07-03T00:01:00.0000000Z")");
  add(R"("ms", 1)", R"("2020-07-03T00:00:00.0010000Z")");
  add(R"("mcs", 1)", R"("2020-07-03T00:00:00.0000010Z")");
  add(R"("ns", 150)", R"("2020-07-03T00:00:00.0000001Z")");
  add(R"("month", -7)", R"("2019-12-03T00:00:00.0000000Z")");
  add(R"("week", 1)", "undefined");
  add(R"("dd", 0.5)", "undefined");
  add(R"("dd", "1")", "undefined");
}

TEST_F(DateFunctionsTest, AddKeepsToTheCalendar) {
  Expect({
      {"DATETIMEADD", R"("mm", 1, "2024-01-31")", R"("2024-02-29T00:00:00.0000000Z")"},
      {"DATETIMEADD", R"("yyyy", 1, "2024-02-29")", R"("2025-02-28T00:00:00.0000000Z")"},
      {"DATETIMEADD", R"("dd", 1, "9999-12-31")", "undefined"},
      {"DATETIMEADD", R"("ns", 100, "9999-12-31T23:59:59.9999999Z")", "undefined"},
      {"DATETIMEADD", R"("ns", -100, "0001-01-01")", "undefined"},
      {"DATETIMEADD", R"("mm", -1, "0001-01-01")", "undefined"},
      {"DATETIMEADD", R"("dd", 9223372036854775807, "2020-01-01")", "undefined"},
      {"DATETIMEADD", R"("yyyy", -9223372036854775808, "2020-01-01")", "undefined"},
      {"DATETIMEADD", R"("dd", 1, "2023-02-29")", "undefined"},
      {"DATETIMEADD", R"("dd", 1, 5)", "undefined"},
  });
}

TEST_F(DateFunctionsTest, BinAsDocumented) {
  const auto bin = [this](std::string_view rest, std::string_view result) {
    Expect({{"DATETIMEBIN", R"("2021-01-08T18:35:00.0000000", )" + std::string(rest), result}});
  };
  bin(R"("dd")", R"("2021-01-08T00:00:00.0000000Z")");
  bin(R"("hh")", R"("2021-01-08T18:00:00.0000000Z")");
  bin(R"("ss")", R"("2021-01-08T18:35:00.0000000Z")");
  bin(R"("hh", 5)", R"("2021-01-08T15:00:00.0000000Z")");
  bin(R"("dd", 7)", R"("2021-01-07T00:00:00.0000000Z")");
  bin(R"("dd", 7, "1601-01-01T00:00:00.0000000")", R"("2021-01-04T00:00:00.0000000Z")");
  bin(R"("yyyy")", R"("2021-01-01T00:00:00.0000000Z")");
  bin(R"("mm", 6)", R"("2021-01-01T00:00:00.0000000Z")");
  bin(R"("mm", 1, "2020-01-20")", R"("2020-12-20T00:00:00.0000000Z")");
  bin(R"("hh", 1, "2030-01-01")", R"("2021-01-08T18:00:00.0000000Z")");
  bin(R"("dd", 0)", "undefined");
  bin(R"("dd", -7)", "undefined");
  bin(R"("dd", 1.5)", "undefined");
  bin(R"("dd", 7, "1600-12-31")", "undefined");
  bin(R"("dd", 9223372036854775807)", R"("1970-01-01T00:00:00.0000000Z")");
  bin(R"("ns", 1)", R"("2021-01-08T18:35:00.0000000Z")");
  Expect({{"DATETIMEBIN", R"("1969-12-31T23:00:00", "dd", 9223372036854775807)", "undefined"}});
}

TEST_F(DateFunctionsTest, DiffCountsBoundaries) {
  const auto diff = [this](std::string_view part, std::string_view there, std::string_view back) {
    const std::string early = R"("2018-03-05T05:00:00.0000000")";
    const std::string late = R"("2019-02-04T16:00:00.0000000")";
    const std::string quoted = "\"" + std::string(part) + "\", ";
    Expect({{"DATETIMEDIFF", quoted + early + "," + late, there},
            {"DATETIMEDIFF", quoted + late + "," + early, back}});
  };
  diff("yyyy", "1", "-1");
  diff("mm", "11", "-11");
  diff("dd", "336", "-336");
  diff("hh", "8075", "-8075");
  diff("ss", "29070000", "-29070000");
  diff("ns", "29070000000000000", "-29070000000000000");
  Expect({{"DATETIMEDIFF", R"("hh", "1969-12-31T23:59:59", "1970-01-01T00:00:00")", "1"},
          {"DATETIMEDIFF", R"("dd", "x", "1970-01-01")", "undefined"},
          {"DATETIMEDIFF", R"("q", "1970-01-01", "1970-01-01")", "undefined"}});
}

TEST_F(DateFunctionsTest, FormatAsDocumented) {
  const auto format = [this](std::string_view form, std::string_view result) {
    Expect({{"DATETIMEFORMAT", R"("2024-10-10 14:40:20", )" + std::string(form), result}});
  };
  format(R"("yyyyMMdd")", R"("20241010")");
  format(R"("yyyy-MM-dd [HH:mm:ss]")", R"("2024-10-10 [14:40:20]")");
  format(R"("To\\da\\y i\\s: yyyy-MM-ddTHH:mm:ss.fff")", R"("Today is: 2024-10-10T14:40:20.000")");
  format(R"("To\\da\\y i\\s: yyyy-MM-ddTHH:mm:ss.FFF")", R"("Today is: 2024-10-10T14:40:20.")");
  format(R"("ddd, d MMMM yy, h:mm tt")", R"("Thu, 10 October 24, 2:40 PM")");
  format(R"("\\")", "undefined");
  format(R"("ffffffff")", "undefined");
  format("5", "undefined");
  Expect({{"DATETIMEFORMAT", R"("2024-10-10T00:05:00.12", "hh tt fffffff FFFFFFF")",
           R"("12 AM 1200000 12")"}});
}

TEST_F(DateFunctionsTest, PartsAsDocumented) {
  const auto part = [this](std::string_view name, std::string_view result) {
    Expect({{"DATETIMEPART", std::string(name) + R"(, "2016-05-29T08:30:00.1301617")", result}});
  };
  part(R"("yyyy")", "2016");
  part(R"("mm")", "5");
  part(R"("dd")", "29");
  part(R"("hh")", "8");
  part(R"("mi")", "30");
  part(R"("ss")", "0");
  part(R"("ms")", "130");
  part(R"("mcs")", "130161");
  part(R"("ns")", "130161700");
  part(R"("nothing")", "undefined");
  Expect({
      {"DAY", R"("2024-01-10")", "10"},
      {"DAY", R"("2000-12-12T10:00:00")", "12"},
      {"DAY", R"("1989-03-03T12:12:12.1234567Z")", "3"},
      {"MONTH", R"("2000-12-12T10:00:00")", "12"},
      {"YEAR", R"("0001-01-01")", "1"},
      {"YEAR", R"("2024")", "undefined"},
      {"DATETIMEFROMPARTS", "2017, 4, 20", R"("2017-04-20T00:00:00.0000000Z")"},
      {"DATETIMEFROMPARTS", "2017, 4, 20, 13, 15, 20, 3456789",
       R"("2017-04-20T13:15:20.3456789Z")"},
      {"DATETIMEFROMPARTS", "2017, 4, 20, 13, 15", R"("2017-04-20T13:15:00.0000000Z")"},
      {"DATETIMEFROMPARTS", "-2000, -1, -1", "undefined"},
      {"DATETIMEFROMPARTS", "2017, 2, 29", "undefined"},
      {"DATETIMEFROMPARTS", "2017, 13, 1", "undefined"},
      {"DATETIMEFROMPARTS", "9223372036854775807, 1, 1", "undefined"},
      {"DATETIMEFROMPARTS", "2017, 4, \"20\"", "undefined"},
  });
}

TEST_F(DateFunctionsTest, NumbersAsDocumented) {
  Expect({
      {"DATETIMETOTICKS", R"("2015-05-19T12:00:00.0000000")", "14320368000000000"},
      {"DATETIMETOTICKS", R"("2015-05-19T12:00:00.0000001")", "14320368000000001"},
      {"DATETIMETOTICKS", R"("soon")", "undefined"},
      {"DATETIMETOTIMESTAMP", R"("2015-05-19T12:00:00.0000000")", "1432036800000"},
      {"DATETIMETOTIMESTAMP", R"("1969-12-31T23:59:59.9999Z")", "-1"},
      {"TICKSTODATETIME", "15973607943002652", R"("2020-08-13T23:19:54.3002652Z")"},
      {"TICKSTODATETIME", "0", R"("1970-01-01T00:00:00.0000000Z")"},
      {"TICKSTODATETIME", "-116444736000000000", R"("1601-01-01T00:00:00.0000000Z")"},
      {"TICKSTODATETIME", "9223372036854775807", "undefined"},
      {"TICKSTODATETIME", "0.5", "undefined"},
      {"TIMESTAMPTODATETIME", "1597360794300", R"("2020-08-13T23:19:54.3000000Z")"},
      {"TIMESTAMPTODATETIME", "-11644473600000", R"("1601-01-01T00:00:00.0000000Z")"},
      {"TIMESTAMPTODATETIME", "253402300799999", R"("9999-12-31T23:59:59.9990000Z")"},
      {"TIMESTAMPTODATETIME", "253402300800000", "undefined"},
      {"TIMESTAMPTODATETIME", "-62135596800000", R"("0001-01-01T00:00:00.0000000Z")"},
      {"TIMESTAMPTODATETIME", "-62135596800001", "undefined"},
      {"TIMESTAMPTODATETIME", "9223372036854775807", "undefined"},
      {"TIMESTAMPTODATETIME", "\"0\"", "undefined"},
  });
}

}  // namespace
}  // namespace orrery::sql
