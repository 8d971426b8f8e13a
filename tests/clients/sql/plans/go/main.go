// Asks Microsoft's Go client, azcosmos; clients.py says what is read and written. This client executes no plans: it has the
// server merge, over the pages of one continuation.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
)

const lineBytesMax = 16 << 20

type question struct {
	File       string
	Container  string
	Query      string
	Parameters map[string]any
	Key        []any
	Page       int32
}

func key(values []any) azcosmos.PartitionKey {
	made := azcosmos.NewPartitionKey()
	for _, value := range values {
		switch value := value.(type) {
		case string:
			made = made.AppendString(value)
		case bool:
			made = made.AppendBool(value)
		case float64:
			made = made.AppendNumber(value)
		default:
			made = made.AppendNull()
		}
	}
	return made
}

func rows(client *azcosmos.Client, database string, asked question) ([]json.RawMessage, error) {
	container, err := client.NewContainer(database, asked.Container)
	if err != nil {
		return nil, err
	}
	options := azcosmos.QueryOptions{PageSizeHint: asked.Page}
	for name, value := range asked.Parameters {
		options.QueryParameters = append(options.QueryParameters, azcosmos.QueryParameter{Name: name, Value: value})
	}
	found := []json.RawMessage{}
	for pages := container.NewQueryItemsPager(asked.Query, key(asked.Key), &options); pages.More(); {
		page, err := pages.NextPage(context.Background())
		if err != nil {
			return nil, err
		}
		for _, row := range page.Items {
			found = append(found, row)
		}
	}
	return found, nil
}

func main() {
	credential, err := azcosmos.NewKeyCredential(os.Args[2])
	if err != nil {
		panic(err)
	}
	client, err := azcosmos.NewClientWithKey(os.Args[1], credential, nil)
	if err != nil {
		panic(err)
	}
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, lineBytesMax)
	for lines.Scan() {
		var asked question
		var answer any
		if err := json.Unmarshal(lines.Bytes(), &asked); err != nil {
			panic(err)
		}
		if found, err := rows(client, os.Args[3], asked); err != nil {
			answer = map[string]string{"error": err.Error()}
		} else {
			answer = map[string]any{"rows": found}
		}
		text, err := json.Marshal(answer)
		if err != nil {
			text, _ = json.Marshal(map[string]string{"error": err.Error()})
		}
		fmt.Println(string(text))
	}
}
