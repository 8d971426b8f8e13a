// What people type into mongosh: documents, indexes, plans, statistics, and the errors that they see.
/* global EJSON, db, print */
const assert = require('node:assert/strict');

// The shell's objects are of another realm than those of modules: their values are compared.
const same = (got, wanted) => assert.equal(EJSON.stringify(got), EJSON.stringify(wanted));

const shop = db.getSiblingDB('shop');
same(shop.items.insertMany([{ _id: 1, a: 1 }, { _id: 2, a: 2 }]).insertedIds, { 0: 1, 1: 2 });
same(shop.items.find({ a: { $gt: 1 } }).toArray(), [{ _id: 2, a: 2 }]);
assert.equal(shop.items.createIndex({ a: 1 }), 'a_1');
same(shop.items.getIndexes().map((index) => index.name), ['_id_', 'a_1']);
assert.equal(shop.items.find({ a: 1 }).explain('executionStats').executionStats.nReturned, 1);
assert.equal(shop.items.explain().aggregate([{ $match: { a: 1 } }]).queryPlanner.winningPlan.inputStage.indexName, 'a_1');
same(shop.items.aggregate([{ $group: { _id: null, sum: { $sum: '$a' } } }]).toArray(), [{ _id: null, sum: 3 }]);
assert.equal(shop.items.countDocuments(), 2);
assert.equal(shop.items.estimatedDocumentCount(), 2);
same(shop.items.distinct('a'), [1, 2]);
assert.equal(shop.items.updateOne({ _id: 1 }, { $set: { b: 1 } }).modifiedCount, 1);
same(shop.items.findOneAndUpdate({ _id: 2 }, { $inc: { a: 5 } }, { returnDocument: 'after' }), { _id: 2, a: 7 });
assert.equal(shop.items.bulkWrite([{ insertOne: { document: { _id: 9 } } }, { deleteOne: { filter: { _id: 9 } } }]).deletedCount, 1);
same(shop.getCollectionNames(), ['items']);
assert.equal(shop.items.stats().count, 2);
assert.equal(shop.stats().collections, 1);
assert.equal(shop.items.validate().valid, true);
assert.equal(shop.items.isCapped(), false);
assert.equal(shop.getProfilingStatus().was, 0);
assert.match(db.version(), /^7\.0\./);
assert.equal(db.hello().isWritablePrimary, true);
assert.ok(db.getMongo().getDBNames().includes('shop'));
assert.equal(shop.serverStatus().process, 'mongod');

// Callbacks of modules would not wait for the shell: codes are caught one by one.
const codes = [];
try { shop.items.insertOne({ _id: 1 }); } catch (error) { codes.push(error.code); }
try { shop.items.find({ a: { $nope: 1 } }).toArray(); } catch (error) { codes.push(error.code); }
try { shop.items.aggregate([{ $nope: 1 }]).toArray(); } catch (error) { codes.push(error.code); }
try { shop.runCommand({ nope: 1 }); } catch (error) { codes.push(error.code); }
same(codes, [11000, 2, 40324, 59]);
assert.equal(shop.items.drop(), true);
assert.equal(shop.dropDatabase().ok, 1);
print('everything is as the shell expects it');
