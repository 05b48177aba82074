/** Serves a mock model in a process of its own, on the API of chat completions. */
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

/** Answers every prompt by `replyTo`, and the parent process about itself. */
export function serveModel(replyTo: (prompt: string, model: string) => string): void {
  let latencyMs = 0;
  let calls = 0;
  const server = createServer(async (request, response) => {
    const { model, messages } = JSON.parse(await text(request));
    const prompt: string = messages[0].content;
    if (latencyMs > 0) await sleep(latencyMs);
    calls++;
    const content = replyTo(prompt, model);
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
  // As long as providers keep them: Node closes a connection after five idle seconds.
  server.keepAliveTimeout = 75_000;
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
}
