#include "net/framed/mailbox.h"

#include "net/loop_signal.h"

namespace orrery::net {

void MailboxSignal::Raise() const { signal_->Raise(); }

bool MailboxSignal::on_loop() const { return signal_->on_loop(); }

}  // namespace orrery::net
