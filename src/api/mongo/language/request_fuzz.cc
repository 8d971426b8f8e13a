// Whatever document a client sends as a filter, an update or a stage is parsed or refused; what is
// parsed can be applied to a document. What owners of partitions do of it gives the same.
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "api/mongo/language/match/matcher.h"
#include "api/mongo/language/match/owner_filter.h"
#include "api/mongo/language/pipeline/pipeline.h"
#include "api/mongo/language/pipeline/stage.h"
#include "api/mongo/language/projection/projection.h"
#include "api/mongo/language/update/update.h"
#include "model/document/document.h"
#include "model/document/json.h"

namespace {

// Rows that are pulled of a pipeline: a few of them can be made of one document.
constexpr int kFuzzedRowsMax = 100;

void RunPipeline(const orrery::mongo::Pipeline& pipeline, const orrery::model::Document& document) {
  using namespace orrery;
  if (pipeline.makes_its_input() || pipeline.target().has_value() ||
      !pipeline.collections().empty())
    return;
  std::vector<mongo::Row> rows(3, mongo::Row{document});
  const auto source = pipeline.Open(mongo::RowsOf(std::move(rows)), nullptr);
  for (int i = 0; i < kFuzzedRowsMax; ++i) {
    const auto row = source->Next();
    if (!row.has_value() || !row->has_value()) break;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace orrery;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  // JSON text is what a corpus is easily written in; BSON reaches the other types.
  model::Document request;
  if (auto parsed = model::ParseJson(bytes); parsed.has_value()) {
    request = *std::move(parsed);
  } else if (auto bson = model::Document::FromBson(std::string(bytes)); bson.has_value()) {
    request = *std::move(bson);
  } else {
    return 0;
  }
  const auto context = std::make_shared<mongo::QueryContext>();
  const model::Document document =
      model::ParseJson(R"({"_id": 1, "a": [1, {"b": 2}, "x"], "b": {"c": null}, "c": 1.5})")
          .value();
  if (const auto matcher = mongo::Matcher::Parse(request, context); matcher.has_value()) {
    const auto matches = (*matcher)->Matches(document);
    const mongo::OwnerFilter owner = mongo::OwnerFilterOf(matcher->get());
    const bool is_left = owner.expression == nullptr || model::Matches(*owner.expression, document);
    if (matches.has_value() && (*matches ? !is_left : is_left && owner.is_whole)) std::abort();
  }
  if (const auto update = mongo::Update::Parse(request.view().ToObject(), {}, context);
      update.has_value()) {
    (void)(*update)->Apply(document, {}, {});
  }
  if (const auto projection =
          mongo::Projection::Parse(request, mongo::ProjectionSyntax::kFind, context);
      projection.has_value()) {
    (void)(*projection)->Apply({document});
  }
  if (const auto pipeline = mongo::Pipeline::Parse({request}, context); pipeline.has_value())
    RunPipeline(**pipeline, document);
  return 0;
}
