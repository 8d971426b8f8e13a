#include "portal/handler/job_handler.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "base/statement_book.h"
#include "portal/answer.h"
#include "portal/json/advice_json.h"
#include "portal/json/json_writer.h"
#include "portal/json/statement_paths.h"

namespace orrery::portal {
namespace {

constexpr std::string_view kJobs = "/_admin/v1/jobs";
constexpr std::string_view kJob = "/_admin/v1/jobs/{id}";
constexpr std::string_view kAdvise =
    "/_admin/v1/databases/{database}/containers/{container}/advise";

// A sample is drawn of so many items at most; of larger containers these are the first in ring
// order, which is as good as chance for everything but today's key.
constexpr uint64_t kExaminedMax = 500'000;
constexpr size_t kPageItemsOfSample = 1'000;
constexpr std::chrono::milliseconds kThrottledPause{200};

void WriteJob(JsonWriter& json, const JobState& job) {
  json.BeginObject()
      .Field("id", std::to_string(job.id))
      .Field("kind", job.kind)
      .Field("database", job.database)
      .Field("container", job.container)
      .Field("state", job.state)
      .Field("done", job.done)
      .Field("total", job.total)
      .Field("started", job.started_ms)
      .Key("ended");
  if (job.ended_ms.has_value()) {
    json.Integer(*job.ended_ms);
  } else {
    json.Null();
  }
  json.Key("error");
  if (job.error.empty()) {
    json.Null();
  } else {
    json.String(job.error);
  }
  json.Key("result");
  if (job.result.empty()) {
    json.Null();
  } else {
    json.Json(job.result);
  }
  json.EndObject();
}

Outcome JobAnswer(int status, const JobState& job) {
  JsonWriter json;
  WriteJob(json, job);
  return net::HttpResponse::Json(status, std::move(json).Finish());
}

Result<uint64_t> JobNumber(std::string_view text) {
  uint64_t id = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), id);
  if (error == std::errc() && end == text.data() + text.size()) return id;
  return Fail(Code::kNotFound, fmt::format("there is no job '{}'", text));
}

// Returns what the statistics have of requests to the container: those for single items name
// today's key.
std::vector<gateway::AdvisedStatements> StatementsOf(const gateway::ContainerEntry& container) {
  std::vector<gateway::AdvisedStatements> found;
  for (const StatementStatistics& one : ListStatements()) {
    if (one.api != "sql" || one.database != container.database_name ||
        one.container != container.settings.name)
      continue;
    gateway::AdvisedStatements& statement = found.emplace_back();
    statement.charge = static_cast<double>(one.hundredths) / 100;
    if (one.text.starts_with('(')) {
      if (one.known > 0) statement.equal_paths = container.settings.partition_key_paths;
    } else {
      statement.equal_paths = EqualPathsOf(one.text);
    }
  }
  return found;
}

class JobRoutes {
 public:
  explicit JobRoutes(const JobParts& parts) : parts_(parts) {}

  Outcome List(const Call&) const {
    JsonWriter json;
    json.BeginObject().Key("jobs").BeginArray();
    for (const JobState& job : parts_.jobs.List()) WriteJob(json, job);
    json.EndArray().EndObject();
    return net::HttpResponse::Json(200, std::move(json).Finish());
  }

  Outcome Get(const Call& call) const {
    ORRERY_ASSIGN(const uint64_t id, JobNumber(call.parameters[0]));
    ORRERY_ASSIGN(const JobState job, parts_.jobs.Find(id));
    return JobAnswer(200, job);
  }

  Outcome Remove(const Call& call) const {
    ORRERY_ASSIGN(const uint64_t id, JobNumber(call.parameters[0]));
    ORRERY_TRY(parts_.jobs.Remove(id));
    net::HttpResponse response;
    response.status = 204;
    return response;
  }

  Outcome Advise(const Call& call) const {
    ORRERY_ASSIGN(const auto container,
                  parts_.gateway.catalog().FindContainer(call.parameters[0], call.parameters[1]));
    if (container->schema->rows.has_value()) {
      return Fail(Code::kUnsupported,
                  "advice is for containers of documents: the key of a Cassandra table is part of "
                  "its schema");
    }
    ORRERY_ASSIGN(const model::Document body, JsonBody(call.request));
    ORRERY_ASSIGN(AskedAdvice asked, AskedAdviceFrom(body));
    ORRERY_ASSIGN(
        const JobState job,
        parts_.jobs.Start("advise", call.parameters[0], call.parameters[1],
                          [this, container, asked = std::move(asked)](JobProgress& progress) {
                            return Run(container, asked, progress);
                          }));
    return JobAnswer(202, job);
  }

 private:
  Result<std::string> Run(const gateway::ContainerRef& container, AskedAdvice asked,
                          JobProgress& progress) const {
    gateway::AdviceQuestion& question = asked.question;
    ORRERY_ASSIGN(const auto reports,
                  parts_.inspection.Containers(container->database_name, container->settings.name));
    if (!reports.empty()) {
      question.items_total = reports.front().items;
      question.bytes_total = reports.front().bytes;
      question.rate = static_cast<double>(reports.front().throughput.request_units_per_second);
    }
    const partition::Limits& limits = parts_.gateway.limits();
    question.logical_partition_bytes_max = limits.logical_partition_bytes_max;
    question.partition_bytes_max = limits.physical_partition_bytes_max;
    question.partition_rate_max = static_cast<double>(limits.physical_partition_rate_max);
    question.today = container->settings.partition_key_paths;
    if (question.statements.empty()) question.statements = StatementsOf(*container);
    ORRERY_TRY(Sample(container, asked, progress));
    ORRERY_ASSIGN(const auto advice, gateway::AdviseKeys(question));
    return AdviceJson(asked, advice);
  }

  // Draws the sample: each item that is examined has the same chance.
  Status Sample(const gateway::ContainerRef& container, AskedAdvice& asked,
                JobProgress& progress) const {
    const uint64_t total = std::min(asked.question.items_total, kExaminedMax);
    const auto wanted = static_cast<size_t>(asked.sample_items);
    std::mt19937_64 random(static_cast<uint64_t>(asked.seed));
    std::vector<gateway::AdvisedItem>& sample = asked.question.sample;
    gateway::ScanSpec spec;
    spec.context = progress.context();
    spec.limits.items_max = kPageItemsOfSample;
    std::string continuation;
    uint64_t examined = 0;
    do {
      auto page = parts_.gateway.Scan(container, spec, continuation);
      if (!page.has_value() && page.error().code() == Code::kThrottled) {
        // The container's users come first.
        ORRERY_TRY(spec.context.Check());
        std::this_thread::sleep_for(kThrottledPause);
        continue;
      }
      if (!page.has_value()) return Fail(std::move(page).error());
      for (item::ScannedItem& item : page->items) {
        ++examined;
        const int64_t time_ms =
            std::chrono::duration_cast<std::chrono::milliseconds>(item.time).count();
        if (sample.size() < wanted) {
          sample.push_back({std::move(item.document), time_ms});
        } else if (const uint64_t place = random() % examined; place < wanted) {
          sample[place] = {std::move(item.document), time_ms};
        }
      }
      progress.Set(examined, std::max(total, examined));
      continuation = std::move(page->continuation);
    } while (!continuation.empty() && examined < kExaminedMax);
    return {};
  }

  const JobParts parts_;
};

}  // namespace

void AddJobRoutes(Router& router, const JobParts& parts) {
  using Method = Outcome (JobRoutes::*)(const Call&) const;
  const auto routes = std::make_shared<const JobRoutes>(parts);
  ThreadPool& pool = parts.gateway.io_pool();
  const auto add = [&](std::string_view verb, std::string_view pattern, Guard guard,
                       Method method) {
    router.Add(verb, pattern, guard, [=, &pool](Call call) {
      AnswerFromPool(pool, std::move(call),
                     [=](const Call& taken) { return ((*routes).*method)(taken); });
    });
  };
  add("GET", kJobs, Guard::kRead, &JobRoutes::List);
  add("GET", kJob, Guard::kRead, &JobRoutes::Get);
  add("DELETE", kJob, Guard::kWrite, &JobRoutes::Remove);
  // It reads, but its reading is paid by the container.
  add("POST", kAdvise, Guard::kRead, &JobRoutes::Advise);
}

}  // namespace orrery::portal
