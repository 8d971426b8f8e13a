#include "api/sql/script/host/prelude_source.h"

namespace orrery::sql {

// Queries in JavaScript. A query is a list of stages, each from an array of items to another. All
// but sorting look at one item at a time, so that a page of results needs only as many documents as
// give it; sorting needs them all.
//
// A continuation says which page of documents to begin with and how many results of it are done.
const std::string_view kQuerySource = R"js(
const pageSizeDefault = 100;
const sortedPageSize = 1000;

const needFunction = (value, what) => {
  if (!isFunction(value)) refuse(`${what} takes a function`);
  return value;
};
const isDefined = (value) => value !== undefined;

const kinds = ['undefined', 'null', 'boolean', 'number', 'string'];
const kindOf = (value) => {
  const kind = kinds.indexOf(value === null ? 'null' : typeof value);
  return kind < 0 ? kinds.length : kind;
};
const compare = (a, b) => {
  const kind = kindOf(a);
  if (kind !== kindOf(b)) return kind - kindOf(b);
  return a < b ? -1 : a > b ? 1 : 0;
};
const sorting = (key, sign) => ({
  sorts: true,
  apply: (items) => items
      .map((item) => [key(item), item])
      .filter(([value]) => isDefined(value))
      .sort(([a], [b]) => sign * compare(a, b))
      .map(([, item]) => item),
});

const stages = {
  filter: (predicate) => {
    needFunction(predicate, 'filter');
    return { apply: (items) => items.filter((item) => predicate(item)) };
  },
  map: (transform) => {
    needFunction(transform, 'map');
    return { apply: (items) => items.map((item) => transform(item)).filter(isDefined) };
  },
  pluck: (name) => {
    if (typeof name !== 'string' || name === '') refuse('pluck takes the name of a property');
    return {
      apply: (items) => items
          .filter((item) => item !== null && isDefined(item))
          .map((item) => item[name])
          .filter(isDefined),
    };
  },
  flatten: (isShallow) => ({ apply: (items) => items.flat(isShallow === true ? 1 : Infinity) }),
  unwind: (select, result) => {
    needFunction(select, 'unwind');
    return {
      apply: (items) => items.flatMap((item) => {
        const inner = select(item);
        if (!Array.isArray(inner)) return [];
        return isFunction(result) ? inner.map((each) => result(item, each)) : inner;
      }),
    };
  },
  sortBy: (key) => sorting(needFunction(key, 'sortBy'), 1),
  sortByDescending: (key) => sorting(needFunction(key, 'sortByDescending'), -1),
};
// The number of arguments that belong to the stage; those that follow are options and callback.
const ownCount = {
  flatten: ([isShallow]) => isShallow === undefined || typeof isShallow === 'boolean' ? 1 : 0,
  unwind: ([, result]) => isObject(result) ? 1 : 2,
};

const run = (list, items) => list.reduce((now, stage) => stage.apply(now), items);

const readAll = () => {
  const documents = [];
  let continuation = '';
  do {
    const page = accepted(host.scan({ continuation, pageSize: sortedPageSize }));
    if (page === false) return undefined;
    for (const document of page.documents) documents.push(document);
    continuation = page.continuation;
  } while (continuation !== '');
  return documents;
};

const takeSorted = (list, size, skip) => {
  const documents = readAll();
  if (documents === undefined) return undefined;
  const results = run(list, documents);
  const end = skip + size;
  return { results: results.slice(skip, end), next: end < results.length ? ['', end] : undefined };
};

const takeInOrder = (list, size, from, skip) => {
  const results = [];
  let continuation = from;
  let done = skip;
  while (true) {
    const page = accepted(host.scan({ continuation, pageSize: size }));
    if (page === false) return undefined;
    const made = run(list, page.documents);
    const taken = made.slice(done, done + size - results.length);
    for (const each of taken) results.push(each);
    if (done + taken.length < made.length) {
      return { results, next: [continuation, done + taken.length] };
    }
    if (page.continuation === '') return { results };
    continuation = page.continuation;
    done = 0;
    if (results.length === size) return { results, next: [continuation, 0] };
  }
};

const positionOf = (continuation) => {
  if (typeof continuation !== 'string' || continuation === '') return ['', 0];
  let position;
  try {
    position = parse(continuation);
  } catch (e) {
    position = undefined;
  }
  if (!Array.isArray(position) || typeof position[0] !== 'string' ||
      !Number.isSafeInteger(position[1]) || position[1] < 0) {
    refuse('the continuation is none of a query like this');
  }
  return position;
};

const execute = (list, options, callback) => {
  const size = options.pageSize > 0 ? floor(options.pageSize) : pageSizeDefault;
  const [from, skip] = positionOf(options.continuation);
  const page = list.some((stage) => stage.sorts === true) ? takeSorted(list, size, skip)
                                                          : takeInOrder(list, size, from, skip);
  if (page === undefined) return { isAccepted: false };
  const info = host.info();
  if (page.next !== undefined) info.continuation = stringify(page.next);
  host.defer(() => {
    if (isFunction(callback)) {
      callback(undefined, page.results, info);
    } else {
      context.getResponse().setBody(page.results);
    }
  });
  return { isAccepted: true };
};

const withOptions = (list, rest) => {
  const options = rest.find(isObject);
  return execute(list, options === undefined ? {} : options, rest.find(isFunction));
};

const chainOf = (list) => {
  const chain = { isAccepted: true, value: (...rest) => withOptions(list, rest) };
  for (const name of Object.keys(stages)) {
    chain[name] = (...args) => chainOf([...list, stages[name](...args)]);
  }
  return chain;
};

const addMethod = (name, value) => Object.defineProperty(
    Collection.prototype, name, { value, writable: true, configurable: true });
for (const name of Object.keys(stages)) {
  addMethod(name, (...args) => {
    const count = isFunction(ownCount[name]) ? ownCount[name](args) : 1;
    return withOptions([stages[name](...args.slice(0, count))], args.slice(count));
  });
}
addMethod('chain', () => chainOf([]));

// Functions of the query language on GeoJSON.
const spatial = {};
for (const [name, count] of [['distance', 2], ['intersects', 2], ['within', 2], ['isValid', 1],
                             ['isValidDetailed', 1]]) {
  spatial[name] = (...args) => {
    needArguments(name, count, args);
    const shapes = args.slice(0, count);
    if (shapes.some((shape) => typeof shape !== 'object')) refuse(`${name} takes GeoJSON objects`);
    return accepted(host.spatial(`ST_${name.toUpperCase()}`, shapes)).value;
  };
}
addMethod('spatial', spatial);
)js";

}  // namespace orrery::sql
