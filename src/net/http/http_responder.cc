#include "net/http/http_responder.h"

namespace orrery::net {
namespace {

class KeepingSink final : public HttpResponder::Sink {
 public:
  void Deliver(HttpResponse response) override { response_ = std::move(response); }
  HttpResponse Take() { return std::move(response_); }

 private:
  HttpResponse response_;
};

}  // namespace

HttpResponse AnswerOf(const std::function<void(HttpResponder)>& answer) {
  const auto sink = std::make_shared<KeepingSink>();
  answer(HttpResponder(sink));
  return sink->Take();
}

}  // namespace orrery::net
