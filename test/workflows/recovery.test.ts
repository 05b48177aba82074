/** A worker process ends in the middle of a question; another one finishes it. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { heldWorkers } from '../support/held-workers.js';
import { soon } from '../support/run.js';
import { QUESTION } from '../support/telephone.js';

describe.concurrent('a question whose worker', () => {
  it('is killed goes on where it was, and pays for no completed call again', async (test) => {
    // Bell's verdict is asked for as soon as Bell's summary has come back; Gray's summary is out.
    const { client, server, startWorker, open, timesSent } = await heldWorkers(
      test,
      (step, prompt) =>
        step === 'validate' || (step === 'summarize' && prompt.includes('Prediction: (b)')),
    );
    const first = startWorker();
    const handle = await client.start('sure', { question: QUESTION }, { workflowId: randomUUID() });
    const before = {
      generateCandidates: 1,
      'summarize (a) Bell': 1,
      'summarize (b) Gray': 1,
      'validate Bell': 1,
    };
    await soon(() => expect(timesSent(), first.output()).toEqual(before));
    expect(await first.end('SIGKILL')).toBeNull();
    await soon(() => expect(server.inFlight).toBe(0));
    open();

    startWorker();
    expect(await handle.result()).toMatchObject({
      outcome: 'answered',
      answer: 'Bell',
      usage: { calls: 7, cachedCalls: 0 },
      chain: {
        candidates: [{ summary: 'Bell was granted it.' }, { summary: 'Gray filed a caveat.' }],
      },
    });
    expect(timesSent()).toEqual({
      generateCandidates: 1,
      'summarize (a) Bell': 1,
      'summarize (b) Gray': 2,
      'validate Bell': 2,
      'validate Gray': 1,
      'rankPair Bell': 1,
      'rankPair Gray': 1,
    });
  });

  it('is stopped goes on with another one, and pays for no open call again', async (test) => {
    const { client, server, startWorker, open, timesSent } = await heldWorkers(
      test,
      (step) => step === 'summarize',
    );
    const first = startWorker();
    const handle = await client.start('sure', { question: QUESTION }, { workflowId: randomUUID() });
    await soon(() => expect(server.inFlight, first.output()).toBe(2));
    const ended = first.end('SIGTERM');
    startWorker();
    // Longer than a stop took that waited for nothing.
    await sleep(5000);
    expect(server.inFlight).toBe(2);
    open();
    expect(await ended, first.output()).toBe(0);
    const result = await handle.result();
    expect(result).toMatchObject({ outcome: 'answered', answer: 'Bell', usage: { calls: 7 } });
    expect(Object.values(timesSent())).toEqual(Array(7).fill(1));
    expect(server.aborted).toBe(0);
  });
});
