/** The language model that docs/ports.md shows holds to the contract that the page names. */
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { describe } from 'vitest';
import { packageRoot } from '../../stores/package-root.js';
import { languageModelContract } from '../../testing/language-model-contract.js';
import type { LanguageModel, Message } from '../../workers/ports.js';
import { holdsTo } from '../support/contract.js';
import { temporaryFolder } from '../support/folder.js';
import { listening } from '../support/listening.js';
import { blocksOf } from './pages.js';

const shown = blocksOf('ts').find(({ text }) => text.includes('export function myModel('));
const folder = await temporaryFolder();
const file = join(folder, 'my-model.ts');
const ports = join(packageRoot(), 'workers', 'ports.ts');
await writeFile(file, (shown?.text ?? '').replace('durable-rag/ports', ports));
const { myModel } = (await import(file)) as { myModel(url: string): LanguageModel };

interface Body {
  messages: Message[];
  max_new_tokens: number;
}

/** A server that answers so, or never. */
async function serve(status: number, headers: Record<string, string> = {}) {
  const bodies: Body[] = [];
  const server = createServer(async (request, response) => {
    bodies.push((await json(request)) as Body);
    if (status === 0) return;
    response.writeHead(status, headers).end(JSON.stringify({ text: 'Paris', tokens: [20, 2] }));
  });
  const { address, close } = await listening(server);
  return { url: `http://${address}`, bodies, close };
}

const scenario = (status: number, retryAfterMs?: number) => async () => {
  const headers = retryAfterMs === undefined ? {} : { 'retry-after': `${retryAfterMs / 1000}` };
  const { url, bodies, close } = await serve(status, headers);
  return {
    model: myModel(url),
    received: () => bodies.map((body) => ({ ...body, maxTokens: body.max_new_tokens })),
    usage: { promptTokens: 20, completionTokens: 2 },
    requests: () => bodies.length,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    close,
  };
};

describe('the language model of docs/ports.md', () => {
  holdsTo(
    languageModelContract({
      answers: scenario(200),
      hangs: scenario(0),
      fails: { RateLimited: scenario(429, 7000), Overloaded: scenario(503) },
    }),
  );
});
