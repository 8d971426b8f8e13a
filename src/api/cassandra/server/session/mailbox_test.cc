#include "api/cassandra/server/session/mailbox.h"

#include <gmock/gmock.h>

#include <string>
#include <thread>
#include <vector>

#include "net/event_loops.h"
#include "net/loop_signal.h"
#include "net/stream.h"

namespace orrery::cassandra {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

// The test's thread plays the connection's loop.
class MailboxTest : public ::testing::Test, public MailReader {
 protected:
  MailboxTest() { mailbox_->Open(*this); }
  ~MailboxTest() override { mailbox_->Close(); }

  void TakeOutcome(PendingRequestPtr request, Outcome outcome) override {
    const bool failed = std::holds_alternative<CqlError>(outcome.result);
    seen_.push_back((failed ? "error " : "outcome ") + std::to_string(request->stream));
  }
  void TakeLogin(PendingRequestPtr, CqlResult<Client> client) override {
    seen_.push_back("login " + client->role);
  }
  void TakeEvent(const Event&) override { seen_.emplace_back("event"); }
  void NoticesWereLost() override { seen_.emplace_back("lost"); }
  bool taking() const override { return true; }
  bool hungry() const override { return seen_.size() < appetite_; }

  PendingRequestPtr Request(int16_t stream) {
    auto request = std::make_unique<PendingRequest>();
    request->mailbox = mailbox_;
    request->memory = ByteShare(budget_);
    request->memory.Hold(10);
    request->stream = stream;
    return request;
  }
  static void Elsewhere(const std::function<void()>& task) { std::thread(task).join(); }

  net::EventLoops loops_{1};
  std::shared_ptr<ByteBudget> budget_ = std::make_shared<ByteBudget>(1000);
  std::shared_ptr<net::LoopSignal> signal_ =
      net::LoopSignal::Make(loops_.context(0).get_executor(), [] {});
  std::shared_ptr<Mailbox> mailbox_ = std::make_shared<Mailbox>(signal_);
  std::vector<std::string> seen_;
  size_t appetite_ = 1'000'000;
};

TEST_F(MailboxTest, OnTheLoopThereIsNoDetour) {
  Answerer(Request(1))({VoidOutcome{}, RequestUnits(), {}});
  EXPECT_THAT(seen_, ElementsAre("outcome 1"));
  EXPECT_EQ(budget_->bytes(), 0u);
}

TEST_F(MailboxTest, FromElsewhereThingsWaitInOrder) {
  Elsewhere([&] {
    Answerer(Request(1))({VoidOutcome{}, RequestUnits(), {}});
    mailbox_->PutEvent(std::make_shared<const Event>(StatusEvent{}));
    mailbox_->DeliverLogin(Request(2),
                           Client{.keyspace = "", .role = "theo", .address = {}, .local = {}});
  });
  EXPECT_THAT(seen_, IsEmpty());
  mailbox_->Empty();
  EXPECT_THAT(seen_, ElementsAre("outcome 1", "event", "login theo"));
  EXPECT_EQ(budget_->bytes(), 0u);
  mailbox_->Empty();
  EXPECT_EQ(seen_.size(), 3u);
}

TEST_F(MailboxTest, WhoeverForgetsToAnswerAnswersWithAnError) {
  {
    Answerer forgotten(Request(1));
  }
  Elsewhere([&] { Answerer forgotten(Request(2)); });
  mailbox_->Empty();
  EXPECT_THAT(seen_, ElementsAre("error 1", "error 2"));
}

TEST_F(MailboxTest, WhatTheReaderDoesNotWantYetWaits) {
  Elsewhere([&] {
    for (int16_t stream = 1; stream <= 3; ++stream) Answerer forgotten(Request(stream));
  });
  appetite_ = 1;
  EXPECT_FALSE(mailbox_->Empty());
  EXPECT_THAT(seen_, ElementsAre("error 1"));
  Elsewhere([&] { Answerer forgotten(Request(4)); });
  EXPECT_FALSE(mailbox_->Empty());
  EXPECT_EQ(budget_->bytes(), 30u);
  appetite_ = 10;
  EXPECT_TRUE(mailbox_->Empty());
  EXPECT_THAT(seen_, ElementsAre("error 1", "error 2", "error 3", "error 4"));
}

TEST_F(MailboxTest, NothingIsKeptAfterTheConnectionIsGone) {
  Answerer before(Request(1));
  Elsewhere([&] { Answerer waiting(Request(2)); });
  mailbox_->Close();
  EXPECT_EQ(budget_->bytes(), 10u);
  before({VoidOutcome{}, RequestUnits(), {}});
  Elsewhere([&] { Answerer late(Request(3)); });
  mailbox_->Empty();
  EXPECT_THAT(seen_, IsEmpty());
  EXPECT_EQ(budget_->bytes(), 0u);
}

TEST_F(MailboxTest, EventsAreBounded) {
  const auto event = std::make_shared<const Event>(StatusEvent{});
  for (size_t i = 0; i < Mailbox::kNoticesMax; ++i) mailbox_->PutEvent(event);
  mailbox_->Empty();
  EXPECT_EQ(seen_.size(), Mailbox::kNoticesMax);
  seen_.clear();
  for (size_t i = 0; i < Mailbox::kNoticesMax + 5; ++i) mailbox_->PutEvent(event);
  mailbox_->Empty();
  EXPECT_EQ(seen_.size(), Mailbox::kNoticesMax + 1);
  EXPECT_THAT(seen_, Contains("lost"));
}

}  // namespace
}  // namespace orrery::cassandra
