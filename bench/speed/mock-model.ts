/** A model server in a process of its own: replies to the steps of SuRe and of the base reader, each after the same time. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { serve } from './remote.js';

export interface MockModelRequest {
  /** From now on, how long each call takes. */
  latencyMs: number;
}

export interface MockModelState {
  baseUrl: string;
  /** How many calls it has answered. */
  calls: number;
}

/** A summary of a usual length, 600 characters. */
const SUMMARY = 'The archive of the harbour names it among the works of that year. '
  .repeat(10)
  .slice(0, 600);

let latencyMs = 0;
let calls = 0;

const server = createServer(async (request, response) => {
  const { model, messages } = JSON.parse(await text(request));
  const prompt: string = messages[0].content;
  if (latencyMs > 0) await sleep(latencyMs);
  calls++;
  const content = replyTo(prompt);
  response.setHeader('content-type', 'application/json');
  response.end(
    JSON.stringify({
      id: `chatcmpl-${calls}`,
      object: 'chat.completion',
      created: Math.floor(Date.now() / 1000),
      model,
      choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
      usage: {
        prompt_tokens: Math.ceil(prompt.length / 4),
        completion_tokens: Math.ceil(content.length / 4),
        prompt_tokens_details: { cached_tokens: 0 },
      },
    }),
  );
});

server.listen(0, '127.0.0.1', () => {
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  serve<MockModelRequest, MockModelState>(
    (request) => {
      ({ latencyMs } = request);
      return { baseUrl, calls };
    },
    () => {},
  );
});

/** Recognises the step by words of its prompt. */
function replyTo(prompt: string): string {
  if (prompt.includes('different answers that could be the correct one')) {
    return '(a) Marta Lindqvist, (b) Otto Renner';
  }
  if (prompt.includes('supports the given prediction')) return `${SUMMARY} [DONE]`;
  if (prompt.includes('correctly support the prediction')) return 'True';
  if (prompt.includes('Passage 1 or Passage 2')) return 'Passage 1';
  if (prompt.includes('answer the question at the end')) return 'Marta Lindqvist';
  throw new Error(`The mock model does not know this prompt: ${prompt.slice(-200)}`);
}
