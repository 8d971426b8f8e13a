import pymongo
import pytest


@pytest.fixture
def orders(database):
    with pymongo.MongoClient(database.variables["MONGODB_URI"]) as client:
        yield client.shop.orders


def test_adding(orders):
    orders.insert_one({"_id": 3, "customer": "cy"})
    assert orders.count_documents({}) == 3


def test_removing(orders):
    # Whatever ran before: there are two again.
    assert orders.count_documents({}) == 2
    orders.delete_many({"customer": "ann"})
    assert [order["_id"] for order in orders.find()] == [2]
