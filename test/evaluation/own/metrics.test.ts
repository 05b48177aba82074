/** Metrics of one's own: their names, which of them a run has, and what they score. */
import { describe, expect, it } from 'vitest';
import { chosenMetrics, ownMetrics, runMetric } from '../../../evaluation/own/registry.js';
import { applyingTo, scoreOwn } from '../../../evaluation/own/score.js';
import {
  defineMetric,
  defineRubric,
  type OwnMetric,
  type ScoredAnswer,
} from '../../../methods/own-metric.js';

const short = defineMetric({
  name: 'short',
  title: 'Short',
  score: ({ answer }) => answer.length < 10,
});
const share = defineMetric({
  name: 'share',
  title: 'Share of capitals',
  headline: false,
  applies: ({ answerKind }) => answerKind === 'span',
  score: ({ answer }) => (answer === '' ? undefined : answer.replace(/[^A-Z]/g, '').length / 10),
});
const tone = defineRubric({
  name: 'tone',
  title: 'Tone',
  prompt: { name: 'tone', text: 'Is this polite? {{answer}}' },
  scale: 'yesNo',
});
const own = ownMetrics([short, share, tone]);
const question = { id: 'q', question: 'Who?', answers: ['Bell'], answerKind: 'span' } as const;
const asked = { ...question, answers: [...question.answers] };
const answered = (answer: string): ScoredAnswer => ({
  ...{ question: asked, answer, chain: null, passages: [] },
});

describe('names', () => {
  it.each([
    [[{ ...short, name: 'em' }], 'There is a built-in metric "em"; rename yours.'],
    [[{ ...short, name: 'recall@7' }], /"recall@7" cannot name a metric/],
    [[{ ...short, name: 'citationF1' }], /built-in metric "citationF1"/],
    [[{ ...short, name: 'two words' }], /"two words" cannot name a metric: it must be letters/],
    [[short, { ...tone, name: 'short' }], 'There are two metrics named "short"; rename one.'],
    [[{ ...tone, scale: { from: 5, to: 5 } }], /The scale of the metric "tone" must be/],
    [[{ ...tone, scale: { from: Number.NaN, to: 5 } }], /The scale of the metric "tone" must be/],
  ])('are refused where they are taken or none: %#', (metrics, message) => {
    expect(() => ownMetrics(metrics)).toThrow(message);
  });

  it('go with what a run is to know of the metric', () => {
    const version = expect.stringMatching(/^[0-9a-f]{12}$/);
    expect([short, share, tone].map(runMetric)).toEqual([
      { name: 'short', title: 'Short', headline: true, version },
      { name: 'share', title: 'Share of capitals', headline: false, version },
      { name: 'tone', title: 'Tone', headline: true, judged: true, version },
    ]);
  });

  it('have a version that tells how they score, and nothing else', () => {
    const versionOf = (metric: OwnMetric) => runMetric(metric).version;
    expect(versionOf({ ...short, title: 'Brief', headline: false })).toBe(versionOf(short));
    const others: OwnMetric[] = [
      { ...short, score: ({ answer }) => answer.length < 20 },
      { ...short, applies: () => false },
    ];
    for (const other of others) expect(versionOf(other)).not.toBe(versionOf(short));
    const graded = versionOf({ ...tone, scale: { from: 1, to: 5 } });
    expect(graded).not.toBe(versionOf(tone));
    expect(versionOf({ ...tone, scale: { from: 0, to: 5 } })).not.toBe(graded);
  });
});

describe('the metrics of a run', () => {
  const named = (input: Parameters<typeof chosenMetrics>[0]) =>
    chosenMetrics(input, own).map(({ name }) => name);

  it('are all of them, rubrics only where there is a judge', () => {
    expect(named({})).toEqual(['short', 'share']);
    expect(named({ judge: 'big' })).toEqual(['short', 'share', 'tone']);
  });

  it('are those that are named, in the order they are shown in, each once', () => {
    expect(named({ metrics: ['tone', 'short', 'tone'], judge: 'big' })).toEqual(['short', 'tone']);
    expect(named({ metrics: [], judge: 'big' })).toEqual([]);
  });

  it('are refused where there is none of the name, or nobody to tell it', () => {
    expect(() => named({ metrics: ['shrt'] })).toThrow(
      'Bad input. metrics: there is no metric "shrt"; did you mean short?',
    );
    expect(() => chosenMetrics({ metrics: ['short'] }, ownMetrics())).toThrow(
      'Bad input. metrics: there is no metric "short"; there is none of your own',
    );
    expect(() => named({ metrics: ['tone'] })).toThrow(
      'Bad input. metrics: "tone" is a rubric, and no judge is named that would read it',
    );
  });
});

describe('what applies to a question', () => {
  it('is told by the metric, and is a reason where that throws or the worker has none', () => {
    const moody = defineMetric({
      ...short,
      name: 'moody',
      applies: () => {
        throw new TypeError('No.');
      },
    });
    const metrics = ownMetrics([short, share, tone, moody]);
    const names = [...metrics.keys(), 'gone'];
    const ofSpan = applyingTo(asked, names, metrics);
    expect(ofSpan.scorers.map(({ name }) => name)).toEqual(['short', 'share']);
    expect(ofSpan.rubrics.map(({ name }) => name)).toEqual(['tone']);
    expect(ofSpan.unscored).toEqual({
      moody: 'applies: TypeError: No.',
      gone: 'The worker that kept the answer has no such metric.',
    });
    const ofList = applyingTo({ ...asked, answerKind: 'list' }, names, metrics);
    expect(ofList.scorers.map(({ name }) => name)).toEqual(['short']);
    expect(applyingTo(asked, undefined, metrics)).toMatchObject({ scorers: [], rubrics: [] });
  });
});

describe('scores', () => {
  it('are numbers and verdicts; where a scorer says nothing there is none', () => {
    expect(scoreOwn([short, share], answered('BELL'))).toEqual({
      ...{ scores: { short: 1, share: 0.4 }, unscored: {} },
    });
    expect(scoreOwn([short, share], answered(''))).toEqual({
      ...{ scores: { short: 1 }, unscored: {} },
    });
  });

  it('are 0 without an answer, in all that applies', () => {
    expect(scoreOwn([short, share], null).scores).toEqual({ short: 0, share: 0 });
  });

  it.each([
    ['throws', () => JSON.parse('{'), /^SyntaxError: /],
    ['throws what is no error', () => Promise.reject, /a value of type function/],
    ['gives more than 1', () => 1.5, 'RangeError: gave 1.5, which is no score from 0 to 1'],
    ['gives no number', () => Number.NaN, /gave NaN/],
    ['gives null', () => null, /gave a value of type object/],
    ['gives a text', () => '0.5', /gave a value of type string/],
    ['would be waited for', async () => 1, /gave a promise/],
  ])('leave the others alone where one %s', (_, score, reason) => {
    const broken = { ...short, name: 'broken', score: score as () => number };
    const { scores, unscored } = scoreOwn([broken, short], answered('Bell'));
    expect(scores).toEqual({ short: 1 });
    expect(unscored).toEqual({
      broken: typeof reason === 'string' ? reason : expect.stringMatching(reason),
    });
  });

  it('keep a reason short', () => {
    const score = () => {
      throw new Error('x'.repeat(5000));
    };
    const { unscored } = scoreOwn([{ ...short, score }], answered('Bell'));
    expect(unscored.short?.length).toBe(300);
  });
});
