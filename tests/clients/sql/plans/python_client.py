"""Asks PyPI's azure-cosmos, which asks for a plan where the server does not merge; clients.py says what is read and written."""
import json
import sys

from azure.cosmos import CosmosClient


def main(endpoint, key, name):
    client = file = None
    for line in sys.stdin:
        asked = json.loads(line)
        if asked["file"] != file:
            if client is not None:
                client.__exit__()  # or the next one would share its ranges
            file, client = asked["file"], CosmosClient(endpoint, key)
        options = {"enable_cross_partition_query": True} if asked["key"] is None else {"partition_key": asked["key"]}
        if asked["page"] > 0:
            options["max_item_count"] = asked["page"]
        parameters = [{"name": parameter, "value": value} for parameter, value in asked["parameters"].items()]
        try:
            container = client.get_database_client(name).get_container_client(asked["container"])
            answer = {"rows": list(container.query_items(asked["query"], parameters, **options))}
        except Exception as error:  # whatever a client may say
            answer = {"error": f"{type(error).__name__} {error}"}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
