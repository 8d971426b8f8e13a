// Serves jobs: GET jobs, GET and DELETE jobs/{id}, and the one that gives advice on partition keys,
// POST databases/{db}/containers/{c}/advise.
#pragma once

#include "gateway/gateway.h"
#include "gateway/view/inspection.h"
#include "portal/job/job_registry.h"
#include "portal/router.h"

namespace orrery::portal {

struct JobParts {
  gateway::Gateway& gateway;
  const gateway::Inspection& inspection;
  JobRegistry& jobs;
};

// All must outlive the router.
void AddJobRoutes(Router& router, const JobParts& parts);

}  // namespace orrery::portal
