#include "server/seat_note.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "storage/engine/engine_testing.h"

namespace orrery::server {
namespace {

const std::string kCluster(32, 'a');

class SeatNoteTest : public testing::Test {
 protected:
  std::string SeatPath() const { return path_ + "/SEAT"; }
  std::string Text() const {
    std::ostringstream text;
    text << std::ifstream(SeatPath()).rdbuf();
    return text.str();
  }
  void Replace(const std::string& text) { std::ofstream(SeatPath()) << text; }

  storage::TemporaryDirectory scratch_;
  const std::string path_ = scratch_.path() + "/data";
};

TEST_F(SeatNoteTest, TellsTheNextProcessOfTheSameDirectory) {
  {
    const auto directory = *DataDirectory::Open(path_);
    EXPECT_EQ(SeatNote(*directory).Predecessor(kCluster), NodeId());
    ASSERT_TRUE(SeatNote(*directory).Write(kCluster, NodeId(7)).has_value());
    ASSERT_TRUE(SeatNote(*directory).Write(kCluster, NodeId(8)).has_value());
  }
  const auto directory = *DataDirectory::Open(path_);
  EXPECT_EQ(SeatNote(*directory).Predecessor(kCluster), NodeId(8));
  EXPECT_EQ(SeatNote(*directory).Predecessor(std::string(32, 'b')), NodeId())
      << "of another cluster";
}

TEST_F(SeatNoteTest, SaysNothingInACopy) {
  ASSERT_TRUE(SeatNote(**DataDirectory::Open(path_)).Write(kCluster, NodeId(7)).has_value());
  std::filesystem::copy(path_, path_ + "2", std::filesystem::copy_options::recursive);
  EXPECT_EQ(SeatNote(**DataDirectory::Open(path_ + "2")).Predecessor(kCluster), NodeId());
}

TEST_F(SeatNoteTest, SaysNothingAfterAnotherStartOfTheMachine) {
  const auto directory = *DataDirectory::Open(path_);
  ASSERT_TRUE(SeatNote(*directory).Write(kCluster, NodeId(7)).has_value());
  std::string text = Text();
  const size_t boot = text.find("boot ") + 5;
  text[boot] = text[boot] == '0' ? '1' : '0';
  Replace(text);
  EXPECT_EQ(SeatNote(*directory).Predecessor(kCluster), NodeId());
}

TEST_F(SeatNoteTest, SaysNothingWhenItIsDamaged) {
  const auto directory = *DataDirectory::Open(path_);
  ASSERT_TRUE(SeatNote(*directory).Write(kCluster, NodeId(7)).has_value());
  const std::string whole = Text();
  for (size_t bytes = 0; bytes + 1 < whole.size(); ++bytes) {
    Replace(whole.substr(0, bytes));
    EXPECT_EQ(SeatNote(*directory).Predecessor(kCluster), NodeId()) << bytes;
  }
  Replace("cluster " + kCluster + " node -1 boot");
  EXPECT_EQ(SeatNote(*directory).Predecessor(kCluster), NodeId());
  Replace(whole);
  EXPECT_EQ(SeatNote(*directory).Predecessor(kCluster), NodeId(7));
}

}  // namespace
}  // namespace orrery::server
