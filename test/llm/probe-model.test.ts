/** What is concluded of endpoints that misbehave, each a script of replies. */
import { expect, it } from 'vitest';
import { Failure } from '../../core/failure.js';
import type { Completion, CompletionRequest } from '../../llm/language-model.js';
import { probeModel } from '../../llm/probe-model.js';
import { completionOf, never, tokens } from '../support/completion.js';

const ANSWER = completionOf({ text: 'Paris', costUsd: null, usage: tokens(2500, 1) });

async function probed(reply: (request: CompletionRequest) => Partial<Completion>) {
  const asked: CompletionRequest[] = [];
  const complete = async (request: CompletionRequest) => {
    asked.push(request);
    return { ...ANSWER, ...reply(request) };
  };
  const found = await probeModel({ provider: 'scripted', complete }, 'scripted', never());
  return { asked, works: Object.fromEntries(found.map(({ kind, works }) => [kind, works])), found };
}

it('finds all that a complete endpoint does', async () => {
  let long = 0;
  const { works, asked } = await probed((request) => {
    if (request.schema) return { text: '{"city":"Paris"}' };
    const isLong = (request.messages[0]?.content.length ?? 0) > 1000;
    return {
      ...(request.logprobs && { logprob: -0.1 }),
      ...(request.tier && { tier: { served: 'flex', standardUsd: null } }),
      ...(isLong && long++ > 0 && { usage: { ...tokens(2500, 1), cachedPromptTokens: 2048 } }),
    };
  });
  expect(works).toEqual({
    plain: true,
    temperature: true,
    thinking: false,
    seed: true,
    logprobs: true,
    schema: true,
    'long prompt': true,
    'cached tokens': true,
    flex: true,
    batch: false,
  });
  expect(asked.length).toBeLessThanOrEqual(10);
  expect(new Set(asked.map(({ model }) => model))).toEqual(new Set(['scripted']));
});

it('asks nothing more where a plain call fails', async () => {
  const { found, asked } = await probed(() => {
    throw new Failure('Authentication', 'The key was not accepted.');
  });
  expect(found).toEqual([{ kind: 'plain', works: false, says: 'The key was not accepted.' }]);
  expect(asked.length).toBe(2);
});

it('tells a model that refuses a temperature, and goes on without it', async () => {
  let refused = false;
  const { works, found } = await probed(() => {
    if (refused) return {};
    refused = true;
    throw new Failure('ParameterRefused', 'The model takes no temperature.');
  });
  expect(works).toMatchObject({ plain: true, temperature: false, seed: true });
  expect(found.find(({ kind }) => kind === 'temperature')?.says).toMatch(/takes no temperature/);
});

it.each([
  ['prose in place of JSON', (): Partial<Completion> => ({ text: 'The city is Paris.' })],
  ['JSON of another shape', () => ({ text: '{"town":"Paris"}' })],
  ['null', () => ({ text: 'null' })],
])('does not take %s for a kept schema', async (_, reply) => {
  expect((await probed(reply)).works).toMatchObject({ plain: true, schema: false });
});

it('tells what a server without tiers, logprobs and a short context lacks', async () => {
  const { works, found } = await probed(({ messages, tier }) => {
    if ((messages[0]?.content.length ?? 0) > 1000) {
      throw new Failure('ContextTooLong', 'The prompt has 2500 tokens, the model takes 512.');
    }
    return tier ? { tier: { served: 'refused', standardUsd: null } } : {};
  });
  expect(works).toMatchObject({ 'long prompt': false, 'cached tokens': false, flex: false });
  expect(found.find(({ kind }) => kind === 'long prompt')?.says).toMatch(/takes 512/);
});

it('takes an answer that is all thinking for one that works', async () => {
  const { works } = await probed(() => ({ text: '', thinking: 'all' }));
  expect(works).toMatchObject({ plain: true, thinking: true });
  expect((await probed(() => ({ text: '' }))).works).toMatchObject({ plain: false });
});

it('ends with the reason of the signal, in whichever call it fires', async () => {
  for (const last of [1, 2, 3, 7]) {
    const stopped = new AbortController();
    let calls = 0;
    const complete = async () => {
      if (++calls === last) stopped.abort(new Error('Ctrl-C'));
      if (calls < 3 && last < 3) throw new Failure('Connection', 'Nobody answers.');
      stopped.signal.throwIfAborted();
      return ANSWER;
    };
    const probing = probeModel({ provider: 'scripted', complete }, 'scripted', stopped.signal);
    await expect(probing, `call ${last}`).rejects.toThrow('Ctrl-C');
  }
});
