#include "server/node_identity_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "storage/engine/engine_testing.h"

namespace orrery::server {
namespace {

const std::string kCluster(32, 'a');

class NodeIdentityFileTest : public testing::Test {
 protected:
  std::string IdentityPath() const { return path_ + "/SEAT"; }
  std::string Text() const {
    std::ostringstream text;
    text << std::ifstream(IdentityPath()).rdbuf();
    return text.str();
  }
  void Replace(const std::string& text) { std::ofstream(IdentityPath()) << text; }

  storage::TemporaryDirectory scratch_;
  const std::string path_ = scratch_.path() + "/data";
};

TEST_F(NodeIdentityFileTest, TellsTheNextProcessOfTheSameDirectory) {
  {
    const auto directory = *DataDirectory::Open(path_);
    EXPECT_EQ(NodeIdentityFile(*directory).Predecessor(kCluster), NodeId());
    ASSERT_TRUE(NodeIdentityFile(*directory).Write(kCluster, NodeId(7)).has_value());
    ASSERT_TRUE(NodeIdentityFile(*directory).Write(kCluster, NodeId(8)).has_value());
  }
  const auto directory = *DataDirectory::Open(path_);
  EXPECT_EQ(NodeIdentityFile(*directory).Predecessor(kCluster), NodeId(8));
  EXPECT_EQ(NodeIdentityFile(*directory).Predecessor(std::string(32, 'b')), NodeId())
      << "of another cluster";
}

TEST_F(NodeIdentityFileTest, SaysNothingInACopy) {
  ASSERT_TRUE(
      NodeIdentityFile(**DataDirectory::Open(path_)).Write(kCluster, NodeId(7)).has_value());
  std::filesystem::copy(path_, path_ + "2", std::filesystem::copy_options::recursive);
  EXPECT_EQ(NodeIdentityFile(**DataDirectory::Open(path_ + "2")).Predecessor(kCluster), NodeId());
}

TEST_F(NodeIdentityFileTest, SaysNothingAfterAnotherStartOfTheMachine) {
  const auto directory = *DataDirectory::Open(path_);
  ASSERT_TRUE(NodeIdentityFile(*directory).Write(kCluster, NodeId(7)).has_value());
  std::string text = Text();
  const size_t boot = text.find("boot ") + 5;
  text[boot] = text[boot] == '0' ? '1' : '0';
  Replace(text);
  EXPECT_EQ(NodeIdentityFile(*directory).Predecessor(kCluster), NodeId());
}

TEST_F(NodeIdentityFileTest, SaysNothingWhenItIsDamaged) {
  const auto directory = *DataDirectory::Open(path_);
  ASSERT_TRUE(NodeIdentityFile(*directory).Write(kCluster, NodeId(7)).has_value());
  const std::string whole = Text();
  for (size_t bytes = 0; bytes + 1 < whole.size(); ++bytes) {
    Replace(whole.substr(0, bytes));
    EXPECT_EQ(NodeIdentityFile(*directory).Predecessor(kCluster), NodeId()) << bytes;
  }
  Replace("cluster " + kCluster + " node -1 boot");
  EXPECT_EQ(NodeIdentityFile(*directory).Predecessor(kCluster), NodeId());
  Replace(whole);
  EXPECT_EQ(NodeIdentityFile(*directory).Predecessor(kCluster), NodeId(7));
}

}  // namespace
}  // namespace orrery::server
