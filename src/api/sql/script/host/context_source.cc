#include "api/sql/script/host/prelude_source.h"

namespace orrery::sql {

// Errors in a call itself are thrown where the call stands, as an Error with the number 400. Errors
// of operations reach callbacks as an Error with `number` and `body`; without a callback they are
// thrown.
const std::string_view kContextSource = R"js(
const start = host.start();
const { parse, stringify } = JSON;
const { assign } = Object;
const { random, floor } = Math;

const isFunction = (value) => typeof value === 'function';
const isObject = (value) =>
    typeof value === 'object' && value !== null && !Array.isArray(value);

const errorOf = (failure) => {
  if (failure === undefined || failure === null) return undefined;
  const error = new NumberedError(failure.message);
  error.number = failure.number;
  error.body = failure.message;
  return error;
};

// The answer of a host function, unless it refuses the call.
const accepted = (given) => {
  if (isObject(given) && given.number !== undefined) refuse(given.message, given.number);
  return given;
};

// The callback of a host function, for the script's own callback.
const answer = (callback, hasResource = true) => (failure, resource, info) => {
  const error = errorOf(failure);
  if (!isFunction(callback)) {
    if (error !== undefined) throw error;
  } else if (error !== undefined) {
    callback(error);
  } else if (hasResource) {
    callback(undefined, resource, info);
  } else {
    callback(undefined, info);
  }
};

const needArguments = (name, count, args) => {
  if (args.length < count) refuse(`${name} takes ${count} arguments, not ${args.length}`);
};

// (options, callback) or (callback): options may be left out.
const split = (options, callback) => {
  if (callback === undefined && isFunction(options)) return [{}, options];
  if (options !== undefined && typeof options !== 'object') {
    refuse(`the options are an object, not a ${typeof options}`);
  }
  if (callback !== undefined && !isFunction(callback)) {
    refuse(`the callback is a function, not a ${typeof callback}`);
  }
  return [isObject(options) ? options : {}, callback];
};

const newId = () => 'xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx'.replace(/[xy]/g, (c) => {
  const digit = floor(random() * 16);
  return (c === 'x' ? digit : (digit & 3) | 8).toString(16);
});

const documentOf = (body, options) => {
  const document = typeof body === 'string' ? parse(body) : body;
  const unwanted = options.disableAutomaticIdGeneration;
  if (!isObject(document) || document.id || unwanted === true || unwanted === 'true') {
    return document;
  }
  return assign({}, document, { id: newId() });
};

// createDocument and upsertDocument.
const put = (name, args) => {
  needArguments(name, 2, args);
  const [link, body, ...rest] = args;
  if (body === null || (typeof body !== 'object' && typeof body !== 'string')) {
    refuse('the body of a document is an object or its JSON text');
  }
  const [options, callback] = split(...rest);
  return accepted(host[name](link, documentOf(body, options), options, answer(callback)));
};

class Collection {
  getSelfLink() { return start.selfLink; }
  getAltLink() { return start.altLink; }

  createDocument(...args) { return put('createDocument', args); }
  upsertDocument(...args) { return put('upsertDocument', args); }
  readDocument(...args) {
    needArguments('readDocument', 1, args);
    const [link, ...rest] = args;
    const [options, callback] = split(...rest);
    return accepted(host.readDocument(link, options, answer(callback)));
  }
  replaceDocument(...args) {
    needArguments('replaceDocument', 2, args);
    const [link, body, ...rest] = args;
    const [options, callback] = split(...rest);
    const document = typeof body === 'string' ? parse(body) : body;
    return accepted(host.replaceDocument(link, document, options, answer(callback)));
  }
  deleteDocument(...args) {
    needArguments('deleteDocument', 1, args);
    const [link, ...rest] = args;
    const [options, callback] = split(...rest);
    return accepted(host.deleteDocument(link, options, answer(callback, false)));
  }
  readDocuments(...args) {
    needArguments('readDocuments', 1, args);
    const [link, ...rest] = args;
    const [options, callback] = split(...rest);
    return accepted(host.readDocuments(link, options, answer(callback)));
  }
  queryDocuments(...args) {
    needArguments('queryDocuments', 2, args);
    const [link, query, ...rest] = args;
    if (typeof query !== 'string' && typeof query !== 'object') {
      refuse(`a query is a string or an object, not a ${typeof query}`);
    }
    const [options, callback] = split(...rest);
    return accepted(host.queryDocuments(link, query, options, answer(callback)));
  }
}

// Headers that are there can be changed, and none be added; 'Body' is the body.
class Message {
  #values;
  #body;
  constructor(body, values) {
    this.#body = body;
    this.#values = values;
  }
  getBody() { return this.#body; }
  setBody(body) {
    this.store(body);
    this.#body = body;
  }
  getValue(name) {
    if (name === 'Body') return this.getBody();
    return this.#values.has(name) ? this.#values.get(name) : undefined;
  }
  setValue(name, value) {
    if (name === 'Body') {
      this.setBody(value);
    } else if (this.#values.has(name)) {
      this.#values.set(name, value);
    } else {
      refuse(`there is no header '${name}' to be changed`);
    }
  }
}

class Request extends Message {
  constructor() { super(start.requestBody, new Map(start.requestValues)); }
  store(body) {
    if (start.role !== 'pre') {
      refuse('the body of the request can be changed in pre-triggers only', 403);
    }
    host.setRequestBody(typeof body === 'string' ? parse(body) : body);
  }
  getOperationType() {
    if (start.role === 'procedure') {
      throw new Error('getOperationType is there in triggers only');
    }
    return start.operation;
  }
}

class Response extends Message {
  constructor() { super(start.responseBody, new Map(start.responseValues)); }
  store(body) { host.setResponseBody(body); }
  appendBody(value) {
    const text = (part) => typeof part === 'string' ? part : stringify(part);
    const before = this.getBody();
    this.setBody((before === undefined || before === null ? '' : text(before)) + text(value));
  }
  appendValue(name, value) {
    if (name === 'Body') return this.appendBody(value);
    this.setValue(name, `${this.getValue(name) ?? ''}${value}`);
  }
  getResourceQuotaCurrentUsage() { return this.#inPostTrigger(start.usage); }
  getMaxResourceQuota() { return this.#inPostTrigger(start.quota); }
  #inPostTrigger(value) {
    if (start.role !== 'post') throw new Error('quotas are there in post-triggers only');
    return value;
  }
}
)js";

const std::string_view kGlobalsSource = R"js(
const collection = new Collection();
const request = new Request();
const response = start.role === 'pre' ? undefined : new Response();
const context = Object.freeze({
  getCollection: () => collection,
  getRequest: () => request,
  getResponse: () => {
    if (response === undefined) throw new Error('there is no response in pre-triggers');
    return response;
  },
  abort: (reason) => host.abort(`${reason}`, reason?.number),
});
const shorthand = Object.create(collection, {
  request: { value: request, enumerable: true },
  response: { value: response, enumerable: true },
});
// The first text may have places for the values after it: %s, %d, %i, %f, %j, %o.
const formatted = (first, ...rest) => {
  if (typeof first !== 'string') return [first, ...rest];
  const text = first.replace(/%[sdifjo%]/g, (place) => {
    if (place === '%%') return '%';
    if (rest.length === 0) return place;
    const value = rest.shift();
    return typeof value === 'object' ? stringify(value) : `${value}`;
  });
  return [text, ...rest];
};
for (const name of ['log', 'info', 'warn', 'error', 'debug']) {
  const write = console[name];
  console[name] = (...values) => write(...formatted(...values));
}
const define = (name, value) => Object.defineProperty(globalThis, name, { value });
define('getContext', () => context);
define('__', shorthand);
define('__request', request);
define('__response', response);
)js";

}  // namespace orrery::sql
