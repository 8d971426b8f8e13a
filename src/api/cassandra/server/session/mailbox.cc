#include "api/cassandra/server/session/mailbox.h"

#include <utility>

#include "base/overload.h"

namespace orrery::cassandra {

void MailReader::TakeLetter(Letter& letter) {
  std::visit(Overload{
                 [&](FinishedStatement& finished) {
                   TakeOutcome(std::move(finished.request), std::move(finished.outcome));
                 },
                 [&](FinishedLogin& finished) {
                   TakeLogin(std::move(finished.request), std::move(finished.client));
                 },
                 [&](const EventPtr& event) { TakeEvent(*event); },
             },
             letter);
}

void Mailbox::Deliver(PendingRequestPtr request, Outcome outcome) {
  if (MailReader* const reader = reader_here(); reader != nullptr) {
    reader->TakeOutcome(std::move(request), std::move(outcome));
    if (!reader->taking()) Raise();
  } else {
    Put(FinishedStatement{std::move(request), std::move(outcome)});
  }
}

void Mailbox::DeliverLogin(PendingRequestPtr request, CqlResult<Client> client) {
  Put(FinishedLogin{std::move(request), std::move(client)});
}

}  // namespace orrery::cassandra
