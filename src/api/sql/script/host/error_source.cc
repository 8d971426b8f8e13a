#include "api/sql/script/host/prelude_source.h"

namespace orrery::sql {

// Error as the service has it: Error(number, message) makes an error with a number, by which a
// client can tell what went wrong. Called in any other way it is JavaScript's.
const std::string_view kErrorSource = R"js(
const { defineProperty, setPrototypeOf } = Object;
const OriginalError = Error;

const hide = (object, name, value) => defineProperty(
    object, name, { value, writable: true, enumerable: false, configurable: true });

const newError = (args, target) => {
  const [number, message] = args;
  const isNumbered = args.length > 1 && typeof number === 'number';
  const error = Reflect.construct(OriginalError, isNumbered ? [message] : args, target);
  // The place where the script made it, not where the prelude did.
  const { stack } = error;
  if (typeof stack === 'string') hide(error, 'stack', stack.replace(/^(.*@prelude:.*\n)+/, ''));
  if (isNumbered) {
    hide(error, 'number', number);
    hide(error, 'description', error.message);
  }
  return error;
};

const NumberedError = new Proxy(OriginalError, {
  apply: (original, self, args) => newError(args, NumberedError),
  construct: (original, args, target) => newError(args, target),
});
hide(OriginalError.prototype, 'constructor', NumberedError);
for (const type of [EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError,
                    AggregateError, InternalError]) {
  setPrototypeOf(type, NumberedError);
}
hide(globalThis, 'Error', NumberedError);

const refuse = (message, number = 400) => { throw new NumberedError(number, message); };
)js";

}  // namespace orrery::sql
