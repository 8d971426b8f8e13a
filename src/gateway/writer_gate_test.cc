#include "gateway/writer_gate.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace orrery::gateway {
namespace {

TEST(WriterGate, ClosedTurnsAway) {
  WriterGate gate;
  ASSERT_TRUE(gate.Enter());
  gate.Close();
  EXPECT_FALSE(gate.Enter());
  gate.Leave();
  gate.WaitUntilEmpty();
}

TEST(WriterGate, NobodyIsInsideAfterTheWait) {
  WriterGate gate;
  std::atomic<int> inside{0};
  std::vector<std::thread> writers;
  for (int i = 0; i < 4; ++i) {
    writers.emplace_back([&] {
      while (gate.Enter()) {
        inside.fetch_add(1);
        inside.fetch_sub(1);
        gate.Leave();
      }
    });
  }
  gate.Close();
  gate.WaitUntilEmpty();
  EXPECT_EQ(inside.load(), 0);
  for (std::thread& writer : writers) writer.join();
  EXPECT_EQ(inside.load(), 0);
}

}  // namespace
}  // namespace orrery::gateway
