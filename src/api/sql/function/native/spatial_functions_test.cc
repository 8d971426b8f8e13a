#include "api/sql/function/function_testing.h"
#include "model/number/number.h"

namespace orrery::sql {
namespace {

class SpatialFunctionsTest : public FunctionTest {
 protected:
  static std::string Point(double longitude, double latitude) {
    return R"({"type":"Point","coordinates":[)" + model::FormatDouble(longitude) + "," +
           model::FormatDouble(latitude) + "]}";
  }
  static std::string Line(std::string_view positions) {
    return R"({"type":"LineString","coordinates":[)" + std::string(positions) + "]}";
  }
  static std::string Polygon(std::string_view rings) {
    return R"({"type":"Polygon","coordinates":[)" + std::string(rings) + "]}";
  }
  void ExpectNear(std::string_view name, const std::string& arguments, double expected,
                  double relative) {
    const Result<Value> result = Call(name, arguments);
    ASSERT_TRUE(result.has_value());
    ASSERT_TRUE(result->is_number()) << Show(*result);
    EXPECT_NEAR(model::ToDouble(*result), expected, std::fabs(expected) * relative);
  }

  const std::string square_ = Polygon("[[0,0],[10,0],[10,10],[0,10],[0,0]]");
  const std::string clockwise_ = Polygon("[[0,0],[0,10],[10,10],[10,0],[0,0]]");
  const std::string with_hole_ =
      Polygon("[[0,0],[10,0],[10,10],[0,10],[0,0]],[[4,4],[4,6],[6,6],[6,4],[4,4]]");
};

TEST_F(SpatialFunctionsTest, DistanceAsDocumented) {
  const std::string there = Point(-122.11758113953535, 47.66901087006131);
  ExpectNear("ST_DISTANCE", Point(-122.12826822304672, 47.63980239335718) + "," + there,
             3345.269817267368, 1e-6);
  ExpectNear("ST_DISTANCE", Point(-96.84368664765994, 46.81297794314663) + "," + there,
             1907438.421299902, 1e-6);
}

TEST_F(SpatialFunctionsTest, DistanceOfAnythingToAnything) {
  Expect({{"ST_DISTANCE", Point(5, 5) + "," + Point(5, 5), "0"},
          {"ST_DISTANCE", Point(5, 5) + "," + square_, "0"}});
  // The pole is one place at all longitudes.
  const Result<Value> pole = Call("ST_DISTANCE", Point(7, 90) + "," + Point(-80, 90));
  EXPECT_LT(model::ToDouble(*pole), 1e-6);
  // A degree along the equator.
  ExpectNear("ST_DISTANCE", Point(11, 0) + "," + square_, 111319.49079327357, 1e-9);
  ExpectNear("ST_DISTANCE", Point(5, -1) + "," + Line("[0,0],[10,0]"), 110574.3885577987, 1e-6);
  ExpectNear("ST_DISTANCE", Line("[0,-2],[10,-2]") + "," + square_, 221149.0, 1e-2);
  // Half a meridian, and points that Vincenty's formula cannot join.
  ExpectNear("ST_DISTANCE", Point(0, 90) + "," + Point(0, -90), 20003931.4586, 1e-6);
  ExpectNear("ST_DISTANCE", Point(0, 0.3) + "," + Point(179.8, 0.1), 19989590, 5e-3);
}

TEST_F(SpatialFunctionsTest, AreaAsDocumented) {
  ExpectNear("ST_AREA", Polygon("[[31.8,-5],[32,-5],[32,-4.7],[31.8,-4.7],[31.8,-5]]"),
             735970283.0522614, 1e-6);
  Expect({{"ST_AREA", Point(1, 1), "0"}, {"ST_AREA", Line("[0,0],[1,1]"), "0"}});
  constexpr double kEarth = 510065621724088.0;
  ExpectNear("ST_AREA", Polygon("[[0,0],[90,0],[180,0],[-90,0],[0,0]]"), kEarth / 2, 1e-9);
  const double square = model::ToDouble(*Call("ST_AREA", square_));
  ExpectNear("ST_AREA", clockwise_, kEarth - square, 1e-9);
  const double hole = model::ToDouble(*Call("ST_AREA", Polygon("[[4,4],[6,4],[6,6],[4,6],[4,4]]")));
  ExpectNear("ST_AREA", with_hole_, square - hole, 1e-9);
}

TEST_F(SpatialFunctionsTest, WithinAsDocumented) {
  const std::string campus = Polygon(
      "[[-122.13236581015025,47.64606476313813],[-122.13221982500913,47.633757091363975],"
      "[-122.11840598103835,47.641749416109235],[-122.12061400629656,47.64589264786028],"
      "[-122.13236581015025,47.64606476313813]]");
  Expect({
      {"ST_WITHIN", Point(-122.12824857332558, 47.6395516675712) + "," + campus, "true"},
      {"ST_WITHIN", Point(-122.2, 47.6) + "," + campus, "false"},
  });
}

TEST_F(SpatialFunctionsTest, WithinRegions) {
  const std::string inner = Polygon("[[1,1],[2,1],[2,2],[1,2],[1,1]]");
  const std::string around_hole = Polygon("[[3,3],[7,3],[7,7],[3,7],[3,3]]");
  const std::string two =
      R"({"type":"MultiPolygon","coordinates":[[[[0,0],[10,0],[10,10],[0,10],[0,0]]],)"
      R"([[[20,0],[30,0],[30,10],[20,10],[20,0]]]]})";
  Expect({
      {"ST_WITHIN", Point(5, 5) + "," + square_, "true"},
      {"ST_WITHIN", Point(0, 5) + "," + square_, "true"},
      {"ST_WITHIN", Point(11, 5) + "," + square_, "false"},
      {"ST_WITHIN", Point(-170, -80) + "," + square_, "false"},
      {"ST_WITHIN", Point(-175, -5) + "," + square_, "false"},
      {"ST_WITHIN", Point(5, 5) + "," + clockwise_, "false"},
      {"ST_WITHIN", Point(11, 5) + "," + clockwise_, "true"},
      {"ST_WITHIN", Point(5, 5) + "," + with_hole_, "false"},
      {"ST_WITHIN", Point(2, 2) + "," + with_hole_, "true"},
      {"ST_WITHIN", inner + "," + square_, "true"},
      {"ST_WITHIN", square_ + "," + inner, "false"},
      {"ST_WITHIN", square_ + "," + square_, "true"},
      {"ST_WITHIN", around_hole + "," + square_, "true"},
      {"ST_WITHIN", around_hole + "," + with_hole_, "false"},
      {"ST_WITHIN", Line("[1,1],[9,9]") + "," + square_, "true"},
      {"ST_WITHIN", Line("[1,1],[19,9]") + "," + square_, "false"},
      {"ST_WITHIN", Line("[1,5],[9,5]") + "," + with_hole_, "false"},
      {"ST_WITHIN", Point(25, 5) + "," + two, "true"},
      {"ST_WITHIN", Point(15, 5) + "," + two, "false"},
      {"ST_WITHIN", square_ + "," + Point(5, 5), "false"},
      {"ST_WITHIN", Point(5, 0) + "," + Line("[0,0],[10,0]"), "true"},
  });
}

TEST_F(SpatialFunctionsTest, IntersectsAsDocumented) {
  const std::string highway = Polygon(
      "[[-122.13693695285855,47.64996065621003],[-122.1351662656516,47.64627863318731],"
      "[-122.13488295569863,47.646326350048696],[-122.1366182291613,47.650016321952904],"
      "[-122.13693695285855,47.64996065621003]]");
  const std::string campus = Polygon(
      "[[-122.14034847687708,47.6494835188378],[-122.14014779899375,47.64625477474044],"
      "[-122.13256925774829,47.646207057813655],[-122.13254564858545,47.64941990019193],"
      "[-122.14034847687708,47.6494835188378]]");
  Expect({
      {"ST_INTERSECTS", highway + "," + campus, "true"},
      {"ST_INTERSECTS", square_ + "," + Polygon("[[20,0],[30,0],[30,10],[20,10],[20,0]]"), "false"},
      {"ST_INTERSECTS", square_ + "," + Polygon("[[10,0],[20,0],[20,10],[10,10],[10,0]]"), "true"},
      {"ST_INTERSECTS", square_ + "," + Polygon("[[1,1],[2,1],[2,2],[1,2],[1,1]]"), "true"},
      {"ST_INTERSECTS", with_hole_ + "," + Point(5, 5), "false"},
      {"ST_INTERSECTS", Line("[0,0],[10,10]") + "," + Line("[0,10],[10,0]"), "true"},
      {"ST_INTERSECTS", Line("[0,0],[1,1]") + "," + Line("[0,10],[10,9]"), "false"},
      {"ST_INTERSECTS", Line("[-5,5],[15,5]") + "," + square_, "true"},
      {"ST_INTERSECTS", Point(1, 1) + "," + Point(1, 1), "true"},
  });
}

TEST_F(SpatialFunctionsTest, ValidityAsDocumented) {
  const std::string valid = Point(-84.38876194345323, 33.75682784306348);
  const std::string invalid = Point(133.75682784306348, -184.38876194345323);
  Expect({
      {"ST_ISVALID", valid, "true"},
      {"ST_ISVALID", invalid, "false"},
      {"ST_ISVALIDDETAILED", valid, R"({"valid":true})"},
      {"ST_ISVALIDDETAILED", invalid,
       R"({"valid":false,"reason":"Latitude values must be between -90 and 90 degrees."})"},
      {"ST_ISVALID", Point(181, 0), "false"},
      {"ST_ISVALID", square_, "true"},
      {"ST_ISVALID", Polygon("[[0,0],[10,0],[10,10],[0,10]]"), "false"},
      {"ST_ISVALID", Polygon("[[0,0],[10,0],[0,0]]"), "false"},
      {"ST_ISVALID", Polygon("[[0,0],[10,10],[10,0],[0,10],[0,0]]"), "false"},
      {"ST_ISVALID", Line("[0,0]"), "false"},
      {"ST_ISVALID", R"({"type":"Circle","coordinates":[1,1]})", "false"},
      {"ST_ISVALID", R"({"type":"Point"})", "false"},
      {"ST_ISVALID", R"({"type":"Point","coordinates":["1",1]})", "false"},
      {"ST_ISVALID", R"({"type":"MultiPolygon","coordinates":[]})", "false"},
      {"ST_ISVALID", "5", "false"},
      {"ST_ISVALID", "undefined", "undefined"},
  });
}

TEST_F(SpatialFunctionsTest, InvalidArgumentsAreUndefinedAndLargeOnesRefused) {
  for (const std::string_view name : {"ST_DISTANCE", "ST_WITHIN", "ST_INTERSECTS"}) {
    Expect({{name, "5," + square_, "undefined"},
            {name, square_ + ",null", "undefined"},
            {name, Point(1, 95) + "," + square_, "undefined"}});
  }
  ExpectUndefined("ST_AREA", {"5", "undefined", "{}"});
  std::string positions = "[0,0]";
  for (int i = 0; i < 4096; ++i) positions += ",[1,1]";
  ExpectError("ST_AREA", Line(positions), Code::kTooLarge);
  positions.resize(positions.size() / 4 * 3);
  const std::string line = Line(positions.substr(0, positions.rfind("]") + 1));
  ExpectError("ST_WITHIN", line + "," + line, Code::kTooLarge);
  Expect({{"ST_WITHIN", Point(1, 1) + "," + line, "true"}});
}

}  // namespace
}  // namespace orrery::sql
