import { describe, expect, it } from 'vitest';
import { outputOf } from '../../steps/define.js';
import { thinkAndAnswer } from '../../steps/thoughts.js';
import type { Line } from '../../testing/scripted-model.js';
import { runScripted } from '../support/run-scripted.js';
import { corporaThatFind } from '../support/searches.js';
import { QUESTION as question } from '../support/telephone.js';

const writes = (say: string): Line => ({ step: 'thinkAndAnswer', say });
const corporaOf = () =>
  corporaThatFind((query) => (query === question ? ['p1', 'p2'] : ['p2', 'p3']));

describe('iterRetgen', () => {
  it('searches with what it wrote, and reads what that finds in place of what it read', async () => {
    const corpora = corporaOf();
    const first = 'Gray filed a caveat.\nSo the answer is: Gray';
    const second = 'Bell filed on the same day.\nSo the answer is: Bell';
    const { result, model } = await runScripted(
      'iterRetgen',
      [writes(first), writes(second)],
      {},
      { corpora },
    );
    expect(corpora.queries).toEqual([
      question,
      `Gray filed a caveat. So the answer is: Gray ${question}`,
    ]);
    expect(result).toMatchObject({
      method: 'iterRetgen',
      outcome: 'answered',
      answer: 'Bell',
      evidence: ['p2', 'p3'],
      retrievals: 2,
      usage: { calls: 2 },
      flags: [],
    });
    expect(result.chain?.passages.map(({ id }) => id)).toEqual(['p2', 'p3']);
    expect(result.chain?.iterations).toMatchObject([
      { query: question, passages: [{ id: 'p1' }, { id: 'p2' }], output: first, answer: 'Gray' },
      { passages: [{ id: 'p2' }, { id: 'p3' }], output: second, answer: 'Bell' },
    ]);
    const [one = '', other = ''] = model.requests.map(({ prompt }) => prompt);
    expect(one.match(/^Title: .*$/gm)).toEqual(['Title: Title 1', 'Title: Title 2']);
    expect(other.match(/^Title: .*$/gm)).toEqual(['Title: Title 2', 'Title: Title 3']);
    // What it wrote is a query, and no part of the next prompt.
    expect(other).not.toContain('caveat');
  });

  it('searches with all of an output that cannot be read, and flags it', async () => {
    const corpora = corporaOf();
    const { result } = await runScripted(
      'iterRetgen',
      [writes('It was either of them,\nperhaps.'), writes('So the answer is: Bell')],
      { limits: { reasks: 0 } },
      { corpora },
    );
    expect(corpora.queries[1]).toBe(`It was either of them, perhaps. ${question}`);
    expect(result).toMatchObject({
      answer: 'Bell',
      flags: [{ kind: 'fallback', step: 'thinkAndAnswer' }],
    });
    expect(result.chain?.iterations[0]?.answer).toBeNull();
  });

  it('searches with the question again where nothing was written', async () => {
    const corpora = corporaOf();
    await runScripted(
      'iterRetgen',
      [writes(''), writes('So the answer is: Bell')],
      { limits: { reasks: 0 } },
      { corpora },
    );
    expect(corpora.queries).toEqual([question, question]);
  });

  it('takes the last answer, even none', async () => {
    const ask = async (say: string) => {
      const script = [writes('So the answer is: Gray'), writes(say)];
      const corpora = corporaOf();
      const input = { limits: { reasks: 0 } };
      return (await runScripted('iterRetgen', script, input, { corpora })).result;
    };
    expect(await ask('Well.')).toMatchObject({ outcome: 'unreadable', answer: null });
    expect(await ask('So the answer is: unknown')).toMatchObject({ outcome: 'unknown' });
  });

  it('takes as many iterations as it is told', async () => {
    const script = ['Gray', 'Reis', 'Bell'].map((name) => writes(`So the answer is: ${name}`));
    const options = { iterations: 3, passages: 1 };
    let number = 0;
    const corpora = corporaThatFind(() => [`p${++number}`, 'p9']);
    const { result } = await runScripted('iterRetgen', script, { options }, { corpora });
    expect(result).toMatchObject({ answer: 'Bell', retrievals: 3, usage: { calls: 3 } });
    const read = result.chain?.iterations.map(({ passages }) => passages.map(({ id }) => id));
    expect(read).toEqual([['p1'], ['p2'], ['p3']]);
  });

  it('pays once for iterations that read the same', async () => {
    const script = [writes('So the answer is: Bell')];
    const { result, model } = await runScripted('iterRetgen', script);
    expect(model.requests).toHaveLength(1);
    expect(result).toMatchObject({ answer: 'Bell', usage: { calls: 2, cachedCalls: 1 } });
  });
});

describe('an output with its answer', () => {
  const input = { question: 'Who?', passages: [], iteration: 0 };
  const output = outputOf(thinkAndAnswer, input);

  it('is all of it, and what stands behind the label', () => {
    const text = 'Bell filed first.\nSo the answer is: Alexander Graham Bell.';
    expect(output.read({ text, cut: false })).toEqual({
      output: text,
      answer: 'Alexander Graham Bell',
    });
  });
  it('has none where the model was stopped in it, and then all of it stands', () => {
    const stopped = { text: 'Bell filed first. So the answer is: Alexander Gra', cut: true };
    expect(output.read(stopped)).toBeUndefined();
    expect(thinkAndAnswer.fallback(stopped, input)).toEqual({ output: stopped.text, answer: null });
  });
});
