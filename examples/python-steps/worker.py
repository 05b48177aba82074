"""A retriever and a step in Python, on a task queue of their own. Needs: pip install temporalio"""

import asyncio
import os

from temporalio import activity
from temporalio.client import Client
from temporalio.worker import Worker

ANIMALS = {"Heron": "A heron waits for fish.", "Newt": "A newt eats worms."}


@activity.defn
async def search(query: str, count: int) -> list[dict]:
    """The passages that share most words with the query, best first."""
    words = set(query.lower().strip("?").split())
    shared = lambda text: len(words & set(text.lower().strip(".").split()))
    best = sorted(ANIMALS.items(), key=lambda one: -shared(one[1]))[:count]
    return [{"title": title, "text": text} for title, text in best]


@activity.defn
async def shout(answer: str) -> str:
    """A step that asks no model; one that asks would be retried by Temporal in the same way."""
    return answer.upper() + "!"


async def main() -> None:
    client = await Client.connect(os.environ.get("TEMPORAL_ADDRESS", "localhost:7233"))
    print("polls", flush=True)
    await Worker(client, task_queue="animals-in-python", activities=[search, shout]).run()


asyncio.run(main())
