// Mongoose with its default settings: models, validation, population, virtuals, middleware, aggregation.
'use strict';
const assert = require('node:assert/strict');
const { after, before, describe, test } = require('node:test');
const mongoose = require('mongoose');
const { useServer } = require('./orrery_server');

const fixture = useServer();
const { Schema } = mongoose;

const authorSchema = new Schema({ name: { type: String, required: true, trim: true }, born: Date }, { timestamps: true });
const bookSchema = new Schema({
  title: { type: String, required: true, index: true },
  author: { type: Schema.Types.ObjectId, ref: 'Author' },
  price: { type: Schema.Types.Decimal128 },
  tags: [String],
  reviews: [{ stars: { type: Number, min: 1, max: 5 }, text: String }],
  stock: { type: Map, of: Number },
});
bookSchema.virtual('best').get(function best() { return Math.max(0, ...this.reviews.map((review) => review.stars)); });
bookSchema.pre('save', function shout() { if (this.isModified('title')) this.title = this.title.toUpperCase(); });
let Author;
let Book;

describe('mongoose', () => {
  before(async () => {
    await mongoose.connect(`mongodb://127.0.0.1:${fixture.server.port}/library`);
    Author = mongoose.model('Author', authorSchema);
    Book = mongoose.model('Book', bookSchema);
    await Promise.all([Author.init(), Book.init()]);
  });
  after(() => mongoose.disconnect());

  test('create, find and populate', async () => {
    const author = await Author.create({ name: ' Ada ', born: new Date(0) });
    assert.equal(author.name, 'Ada');
    assert.ok(author.createdAt instanceof Date);
    await Book.create([{ title: 'one', author, tags: ['a', 'b'], price: '1.50', stock: { rome: 3 } }, { title: 'two', author, reviews: [{ stars: 4 }] }]);
    const books = await Book.find({ author: author._id }).populate('author').sort('title');
    assert.deepEqual(books.map((book) => [book.title, book.author.name, book.best]), [['ONE', 'Ada', 0], ['TWO', 'Ada', 4]]);
    assert.equal(books[0].price.toString(), '1.50');
    assert.equal(books[0].stock.get('rome'), 3);
    assert.equal(await Book.countDocuments({ tags: 'a' }), 1);
    assert.equal((await Book.findOne({ title: /^t/i }).lean()).reviews[0].stars, 4);
  });

  test('changes of arrays and versions', async () => {
    const book = await Book.create({ title: 'three', tags: ['x'] });
    book.tags.push('y');
    book.reviews.push({ stars: 5 });
    await book.save();
    const loaded = await Book.findById(book._id);
    assert.deepEqual([...loaded.tags], ['x', 'y']);
    loaded.reviews[0].stars = 2;
    loaded.tags.pull('x');
    await loaded.save();
    assert.equal((await Book.findById(book._id)).reviews[0].stars, 2);
    const updated = await Book.findOneAndUpdate({ _id: book._id }, { $addToSet: { tags: 'z' } }, { new: true });
    assert.deepEqual([...updated.tags], ['y', 'z']);
    await loaded.deleteOne();
    assert.equal(await Book.findById(book._id), null);
  });

  test('validation and errors', async () => {
    await assert.rejects(Book.create({ title: '' }), (error) => error.name === 'ValidationError');
    await assert.rejects(Book.create({ title: 'x', reviews: [{ stars: 9 }] }), (error) => error.name === 'ValidationError');
    await assert.rejects(Book.findById('nope'), (error) => error.name === 'CastError');
    const book = await Book.create({ title: 'four' });
    await assert.rejects(Book.collection.insertOne({ _id: book._id }), (error) => error.code === 11000);
  });

  test('aggregation and bulk writes', async () => {
    await Book.bulkWrite([{ insertOne: { document: { title: 'b1', tags: ['q'] } } }, { updateMany: { filter: { tags: 'q' }, update: { $push: { tags: 'r' } } } }]);
    const counts = await Book.aggregate([{ $match: { tags: { $in: ['q', 'r'] } } }, { $unwind: '$tags' }, { $group: { _id: '$tags', n: { $sum: 1 } } }, { $sort: { _id: 1 } }]);
    assert.deepEqual(counts, [{ _id: 'q', n: 1 }, { _id: 'r', n: 1 }]);
    assert.deepEqual((await Book.collection.indexes()).map((index) => index.name), ['_id_', 'title_1']);
  });
});
