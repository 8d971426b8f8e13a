// ERROR messages.
//
//   ERROR := code:[int] message:[string] fields
//     1000 unavailable       [consistency] required:[int] alive:[int]
//     1100 write timeout     progress write type:[string] ; v5, type CAS: contentions:[short]
//     1200 read timeout      progress data present:[byte]
//     1300 read failure      progress failures data present:[byte]
//     1400 function failure  keyspace:[string] function:[string] argument types:[string list]
//     1500 write failure     progress failures write type:[string]
//     1700 unknown CAS write progress
//     2400 already exists    keyspace:[string] table:[string]
//     2500 unprepared        id:[short bytes]
//   progress := [consistency] received:[int] needed:[int]
//   failures := v4: n:[int]    v5: n:[int] n x (replica:[inetaddr] reason:[short])
//
// A version that does not know a code gets the nearest it does: below v4 failures are timeouts, and
// function and CDC failures are invalid requests; below v5 an unknown CAS write is a write timeout.
#pragma once

#include <string>

#include "api/cassandra/protocol/error_code.h"
#include "api/cassandra/protocol/response/response_envelope.h"

namespace orrery::cassandra {

void WriteError(std::string& out, const ResponseHead& head, const CqlError& error);

}  // namespace orrery::cassandra
