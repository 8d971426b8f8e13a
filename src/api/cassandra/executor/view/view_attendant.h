// Maintains the views of base tables as followers change their rows: the other partitions of a
// logged batch, also those that a crash has left undelivered.
//
// What TableViews is for the writes of clients. It differs in that the changes are made already,
// and must not be refused any more.
//
// Thread-safe.
#pragma once

#include "api/cassandra/executor/view/view_registry.h"
#include "api/cassandra/executor/view/write_eras.h"
#include "gateway/outbox/follower_attendant.h"

namespace orrery::cassandra {

class ViewAttendant final : public gateway::FollowerAttendant {
 public:
  // Both must outlive it and its programs.
  ViewAttendant(const ViewRegistry& registry, const WriteEras& eras)
      : registry_(registry), eras_(eras) {}

  Attendance Attend(const item::Follower& follower) const override;

 private:
  const ViewRegistry& registry_;
  const WriteEras& eras_;
};

}  // namespace orrery::cassandra
