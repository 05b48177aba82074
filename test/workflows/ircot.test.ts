import { describe, expect, it } from 'vitest';
import type { Line } from '../../testing/scripted-model.js';
import { runScripted } from '../support/run-scripted.js';
import { corporaThatFind } from '../support/searches.js';
import { QUESTION as question } from '../support/telephone.js';

const thinks = (thought: string): Line => ({ step: 'nextThought', say: `Thought: ${thought}` });
const concludes = (answer: string): Line => ({ step: 'nextThought', say: `Answer: ${answer}` });
const reasons = (answer: string): Line => ({ step: 'reason', say: `It is so.\nAnswer: ${answer}` });

/** What each query of the tests finds. */
const FOUND: Record<string, string[]> = {
  [question]: ['p1', 'p2'],
  'Gray filed a caveat.': ['p2', 'p3'],
  'Bell filed on the same day.': ['p4', 'p3'],
  'It was in February.': ['p1', 'p3'],
  'It was in 1876.': ['p2'],
};
const corporaOf = () => corporaThatFind((query) => FOUND[query] ?? ['p9']);

describe('ircot', () => {
  /**
   * Worked out by hand. The question finds p1 and p2, the first thought p3 beside p2, the second p4
   * beside p3; the third asking gives an answer, which is read anew from the four passages.
   */
  it('thinks and searches by turns, then reads what was gathered', async () => {
    const corpora = corporaOf();
    const { result, model, asked } = await runScripted(
      'ircot',
      [
        thinks('Gray filed a caveat.'),
        thinks('Bell filed on the same day.'),
        concludes('Gray'),
        reasons('Bell'),
      ],
      { options: { passages: 2 } },
      { corpora },
    );
    expect(asked).toEqual({ nextThought: 3, reason: 1 });
    expect(corpora.queries).toEqual([
      question,
      'Gray filed a caveat.',
      'Bell filed on the same day.',
    ]);
    expect(result).toMatchObject({
      method: 'ircot',
      outcome: 'answered',
      answer: 'Bell',
      evidence: ['p1', 'p2', 'p3', 'p4'],
      retrievals: 3,
      usage: { calls: 4 },
      flags: [],
    });
    expect(result.chain?.passages.map(({ id }) => id)).toEqual(['p1', 'p2', 'p3', 'p4']);
    expect(result.chain).toMatchObject({
      thoughts: [
        { text: 'Gray filed a caveat.', brought: ['p3'] },
        { text: 'Bell filed on the same day.', brought: ['p4'] },
      ],
      ended: 'answer',
      concluded: 'Gray',
      reasoning: 'It is so.',
      reading: 'Bell',
    });

    const [first, second, third, last] = model.requests.map(({ prompt }) => prompt);
    const shown = (prompt = '') => prompt.match(/^Title: .*$/gm)?.map((line) => line.slice(-1));
    expect([first, second, third, last].map(shown)).toEqual([
      ['1', '2'],
      ['1', '2', '3'],
      ['1', '2', '3', '4'],
      ['1', '2', '3', '4'],
    ]);
    expect(first).not.toContain('<thought');
    expect(third).toContain('<thought number="2">\nBell filed on the same day.\n</thought>');
    // The reader judges by the passages alone.
    expect(last).not.toContain('caveat');
  });

  it.each<[ended: string, options: object, script: Line[], thoughts: number]>([
    ['passages', { passages: 2, maxPassages: 3 }, [thinks('Gray filed a caveat.')], 1],
    ['passages', { passages: 2, maxPassages: 2 }, [], 0],
    ['thoughts', { passages: 2, maxThoughts: 1 }, [thinks('Gray filed a caveat.')], 1],
    [
      'repeated',
      { passages: 2 },
      [thinks('Gray filed a caveat.'), thinks('gray filed the caveat')],
      1,
    ],
    [
      'nothingNew',
      { passages: 2 },
      [thinks('Gray filed a caveat.'), thinks('It was in February.'), thinks('It was in 1876.')],
      3,
    ],
    ['unreadable', { passages: 2 }, [{ step: 'nextThought', say: 'Bell.' }], 0],
  ])('ends by %s with %j', async (ended, options, script, thoughts) => {
    const { result, model } = await runScripted(
      'ircot',
      [...script, reasons('Bell')],
      { options, limits: { reasks: 0 } },
      { corpora: corporaOf() },
    );
    expect(model.left).toEqual([]);
    expect(result.chain).toMatchObject({ ended, concluded: null });
    expect(result.chain?.thoughts).toHaveLength(thoughts);
    expect(result.answer).toBe('Bell');
  });

  it('goes on after one thought that brought nothing new', async () => {
    const script = [thinks('It was in 1876.'), thinks('Gray filed a caveat.'), concludes('Bell')];
    const { result } = await runScripted(
      'ircot',
      [...script, reasons('Bell')],
      { options: { passages: 2 } },
      { corpora: corporaOf() },
    );
    expect(result.chain?.thoughts.map(({ brought }) => brought)).toEqual([[], ['p3']]);
  });

  it('keeps the first of what a thought finds where there is no room for all', async () => {
    const { result } = await runScripted(
      'ircot',
      [thinks('Bell filed on the same day.'), reasons('Bell')],
      { options: { passages: 2, maxPassages: 3 } },
      { corpora: corporaOf() },
    );
    expect(result.evidence).toEqual(['p1', 'p2', 'p4']);
  });

  it('reads directly where that is asked for, and shows examples to the thoughts', async () => {
    const demonstrations = [
      { question: 'Who wrote it?', thoughts: ['It is a novel.', 'Its author is A.'], answer: 'A' },
    ];
    const { result, model } = await runScripted(
      'ircot',
      [concludes('Gray'), { step: 'read', say: 'Bell' }],
      { options: { reader: 'direct', demonstrations } },
    );
    expect(result).toMatchObject({ answer: 'Bell', chain: { reasoning: null, reading: 'Bell' } });
    const [thinking, reading] = model.requests.map(({ prompt }) => prompt);
    expect(thinking).toContain(
      'Question: Who wrote it?\nThought: It is a novel.\nThought: Its author is A.\nAnswer: A\n',
    );
    expect(reading).not.toContain('It is a novel.');
  });

  it('is unreadable where its reader is, and unknown where that knows nothing', async () => {
    const ask = async (say: string) => {
      const script: Line[] = [concludes('Bell'), { step: 'reason', say }];
      return (await runScripted('ircot', script, { limits: { reasks: 0 } })).result;
    };
    expect(await ask('Well.')).toMatchObject({ outcome: 'unreadable', answer: null });
    expect(await ask('Answer: unknown')).toMatchObject({ outcome: 'unknown', answer: null });
  });
});
