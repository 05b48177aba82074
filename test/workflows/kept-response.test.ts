/** A response that was kept, though its activity ended before it could report it. */
import { expect, it } from 'vitest';
import { Failure } from '../../core/failure.js';
import { ResponseCache } from '../../llm/response-cache.js';
import { MemoryStore } from '../../stores/memory-store.js';
import { type Line, scriptedModel } from '../../testing/scripted-model.js';
import { startHarness } from '../support/harness.js';
import { QUESTION as question } from '../support/telephone.js';

/** Loses the connection right after its first write, as a killed worker would. */
class BreakingStore extends MemoryStore {
  private writes = 0;

  override async set(key: string, value: string): Promise<void> {
    await super.set(key, value);
    if (++this.writes === 1) throw new Failure('Connection', 'The store went away.');
  }
}

it.each<[string, Line[], object]>([
  ['one that was read', [{ step: 'read', say: 'Bell' }], { outcome: 'answered', answer: 'Bell' }],
  ['one that was not readable', [{ step: 'read', say: '...' }], { outcome: 'unreadable' }],
])('is not paid for again: %s', async (_, script, expected) => {
  const model = scriptedModel(script);
  const harness = await startHarness(model, { responses: new ResponseCache(new BreakingStore()) });
  try {
    const input = { question, limits: { reasks: 0 }, cache: false };
    const result = await harness.client.ask('base', input, { workflowId: harness.id });
    // It counts as paid by this question, which it is.
    const usage = { calls: 1, cachedCalls: 0, promptTokens: 100, costUsd: 0.001 };
    expect(result).toMatchObject({ ...expected, usage });
    expect(model.requests).toHaveLength(1);
  } finally {
    await harness.close();
  }
});
