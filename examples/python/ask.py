"""Asks a question and evaluates a data set from Python. Needs: pip install temporalio"""

import asyncio
import json
import os
import sys
from pathlib import Path

from temporalio.client import Client, WorkflowFailureError
from temporalio.common import WorkflowIDConflictPolicy
from temporalio.exceptions import ApplicationError

TASK_QUEUE = os.environ.get("DURABLE_RAG_TASK_QUEUE", "durable-rag")


async def run(client: Client, method: str, workflow_id: str, given: dict) -> dict:
    """The result of a workflow; one that is under way under the same id is joined."""
    return await client.execute_workflow(
        method,
        given,
        id=workflow_id,
        task_queue=TASK_QUEUE,
        id_conflict_policy=WorkflowIDConflictPolicy.USE_EXISTING,
    )


async def ask(client: Client, method: str, workflow_id: str, given: dict) -> dict:
    """The result of a question. One that failed raises, with its result as the first detail."""
    try:
        return await run(client, method, workflow_id, given)
    except WorkflowFailureError as error:
        failure = error.cause
        if not isinstance(failure, ApplicationError) or not failure.details:
            raise  # cancelled, terminated or timed out
        return failure.details[0]


async def main(file: str) -> None:
    client = await Client.connect(os.environ.get("TEMPORAL_ADDRESS", "localhost:7233"))
    heron = {"title": "Heron", "text": "A heron waits for fish."}
    question = {"question": "What does a heron wait for?", "retrieval": {"passages": [heron]}}
    result = await ask(client, "sure", "heron", question)
    print(result["outcome"], result["answer"], result["usage"]["calls"])

    wrong = await ask(client, "sure", "no-heron", {**question, "options": {"candidates": -1}})
    print(wrong["outcome"], wrong["failure"]["type"])

    questions = [json.loads(line) for line in Path(file).read_text("utf-8").splitlines()]
    spec = {"run": "herons", "method": "base", "dataset": questions}
    progress = await run(client, "evaluateRun", "eval/herons", spec)
    print(progress["state"], progress["outcomes"]["answered"], "of", progress["questions"])


asyncio.run(main(sys.argv[1]))
