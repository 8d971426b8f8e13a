// Whatever document a client sends as a filter, an update or a stage is parsed or refused; what is
// parsed can be applied to a document.
#include <cstdint>
#include <memory>
#include <string_view>

#include "api/mongo/language/match/matcher.h"
#include "api/mongo/language/pipeline/pipeline.h"
#include "api/mongo/language/projection/projection.h"
#include "api/mongo/language/update/update.h"
#include "model/document/document.h"
#include "model/document/json.h"

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
    (void)(*matcher)->Matches(document);
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
  (void)mongo::Pipeline::Parse({request}, context);
  return 0;
}
