#!/bin/sh
# Asks a question with curl alone, by Temporal's HTTP API: temporal server start-dev --http-port 7243
set -eu
api="${TEMPORAL_HTTP:-http://localhost:7243}/api/v1/namespaces/default/workflows"
id="${1:-heron-by-curl}"

# The workflow of the method, on the queue of the workers; its input is the JSON of docs/input.md.
curl -sSf "$api/$id" -H 'content-type: application/json' -d '{
  "workflowType": {"name": "base"},
  "taskQueue": {"name": "'"${DURABLE_RAG_TASK_QUEUE:-durable-rag}"'"},
  "input": [{
    "question": "What does a heron wait for?",
    "retrieval": {"passages": [{"title": "Heron", "text": "A heron waits for fish."}]}
  }]
}' > /dev/null

# Waits for the last event, which has the result.
curl -sSf "$api/$id/history?waitNewEvent=true&historyEventFilterType=HISTORY_EVENT_FILTER_TYPE_CLOSE_EVENT"
