/** A model that searches for as many turns as it is told to, and tells of the prompts that it is sent. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { writer } from '../speed/corpus.js';

/** What the model was sent, and when. */
export interface Asked {
  /** Milliseconds from the end of the reply before to the first byte of this prompt. */
  waitedMs: number;
  characters: number;
  /** Whether it is the turn of the agent itself, not a reading of what a search found. */
  isTurn: boolean;
  /** The share of the prompt that is the prompt of the turn before, byte for byte. */
  begun: number;
}

const SEED = 23;

export type TurnsModel = Awaited<ReturnType<typeof startTurnsModel>>;

/** Starts the model on a port of this machine. */
export async function startTurnsModel() {
  const { words, sentence } = writer(SEED);
  let [turns, turn, before, repliedAt] = [0, 0, '', Number.NaN];
  let asked: Asked[] = [];

  function replyTo(prompt: string): string {
    if (isReading(prompt)) return `**Final Information**\n\n${sentence(30)}`;
    const thought = sentence(40);
    if (turn++ >= turns) return `<think>${thought}</think><answer>It</answer> \\boxed{It}`;
    const query = words(4);
    return prompt.includes('begin_search_query')
      ? `${thought}\n<|begin_search_query|>${query}<|end_search_query|>`
      : `<think>${thought}</think>\n<search>${query}</search>`;
  }

  const server = createServer(async (request, response) => {
    const waitedMs = performance.now() - repliedAt;
    const { messages } = JSON.parse(await text(request)) as { messages: { content: string }[] };
    const prompt = messages.map(({ content }) => content).join('\n');
    const isTurn = !isReading(prompt);
    const begun = prompt.startsWith(before) ? before.length / prompt.length : 0;
    asked.push({ waitedMs, characters: prompt.length, isTurn, begun });
    if (isTurn) before = prompt;
    const message = { role: 'assistant', content: replyTo(prompt) };
    const usage = {
      prompt_tokens: Math.ceil(prompt.length / 4),
      completion_tokens: Math.ceil(message.content.length / 4),
    };
    const choices = [{ index: 0, message, finish_reason: 'stop' }];
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ object: 'chat.completion', model: 'mock-1', choices, usage }));
    repliedAt = performance.now();
  });
  server.keepAliveTimeout = 75_000;
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    /** Begins anew, with as many searches before the answer. */
    begin(searches: number) {
      [turns, turn, before, repliedAt] = [searches, 0, '', Number.NaN];
      asked = [];
    },
    asked: (): readonly Asked[] => asked,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function isReading(prompt: string): boolean {
  return prompt.includes('Final Information');
}
