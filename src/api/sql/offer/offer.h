// Offers: the throughput of a container that has its own, or of a database whose containers share
// it, as a resource by itself.
//
// An offer is not stored: it follows from the catalog. Its number is made of the id of what it is
// for, modulo 2^24, the room of an offer's rid.
//
// Pure but for the look into the catalog.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/sql/request/request_headers.h"
#include "base/status.h"
#include "gateway/catalog/catalog.h"
#include "model/document/document.h"
#include "model/value.h"

namespace orrery::sql {

struct Offer {
  std::string database;
  std::optional<std::string> container;  // none: the database's
  std::string rid;
  std::string resource;      // "dbs/<rid>/colls/<rid>/"
  std::string resource_rid;  // of the container or database
  partition::ThroughputSettings throughput;
  std::optional<int64_t> increment = {};      // of autoscale (auto_upgrade.h)
  int64_t highest = 0;                        // ever set
  cluster::ThroughputOwner throughput_owner;  // whose partitions carry it
};

// All there are, databases first.
std::vector<Offer> ListOffers(const gateway::CatalogSnapshot& catalog);
// nullopt when nothing has an offer of that id.
std::optional<Offer> FindOffer(const gateway::CatalogSnapshot& catalog, std::string_view rid);

// `minimum` is what the throughput may be lowered to, `is_pending` what IsPending says.
model::Value SeenOffer(const Offer& offer, int64_t minimum, bool is_pending);

// Returns whether the last change is still in progress: more throughput than the existing
// `partitions` can carry is granted as far as they can, and in full when others are split off them.
bool IsPending(const Offer& offer, size_t partitions, const partition::Limits& limits);

// Returns the offer's throughput after a PUT of `body`. A change from manual to autoscale or back
// needs its header, and takes the throughput from the existing one. kInvalidArgument says what is
// wrong.
Result<partition::ThroughputSettings> ChangedThroughput(const Offer& offer,
                                                        model::DocumentView body,
                                                        const RequestHeaders& headers,
                                                        int64_t minimum);

}  // namespace orrery::sql
