// The handshake by which two nodes authenticate each other on a new TLS connection, before anything
// else is read:
//
//   caller                           callee
//   hello(version, nodes, nonce) ->
//                                <-  challenge(nonce)
//   proof(caller)                ->
//                                <-  proof(callee)
//
// In the place of its messages the callee may send a rejection that says why. The caller proves
// first: strangers who connect get nothing to try guesses of the secret on. The callee's
// certificate is part of what is proved (rpc_proof.h).
//
// A handshake takes as long as its peer does: whoever waits for one sets the deadline, and cuts the
// channel.
// Includes Asio: for code under net/.
#pragma once

#include <string>

#include "base/ids.h"
#include "base/status.h"
#include "net/rpc/handshake/rpc_identity.h"
#include "net/rpc/link/byte_channel.h"

namespace orrery::net {

// The caller's part. kForbidden: refused, and why; kUnauthorized: the peer does not know the
// secret; kInvalidArgument: it is no node; else the channel's error. All references must outlive
// the coroutine.
ByteChannel::Awaitable<Status> IntroduceTo(ByteChannel& channel, const RpcIdentity& self,
                                           NodeId callee, const std::string& callee_certificate);

// The callee's part: who the caller is. Errors as above; a caller that is refused has been told
// why. `own_certificate` is the fingerprint of what this side presented.
ByteChannel::Awaitable<Result<NodeId>> Recognize(ByteChannel& channel, const RpcIdentity& self,
                                                 const std::string& own_certificate);

}  // namespace orrery::net
