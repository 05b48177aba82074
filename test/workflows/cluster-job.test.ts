import { describe, expect, it } from 'vitest';
import { parseClusterInput } from '../../workflows/cluster-job.js';

const least = { name: 'webq', dataset: 'train.jsonl' };

describe('parseClusterInput', () => {
  it('fills in what the paper used', () => {
    expect(parseClusterInput(least)).toMatchObject({
      task: 'openQA',
      documents: 'generated',
      clusters: 10,
      pairs: 5,
      seed: 0,
      sampleSeed: 0,
      onlyWithAnswer: false,
    });
  });

  const refused: [string, object, RegExp][] = [
    ['no name', { name: undefined }, /name/],
    ['a name with a slash', { name: 'a/b' }, /name: letters, digits/],
    ['no cluster', { clusters: 0 }, /clusters/],
    ['no pairs', { pairs: 0 }, /pairs/],
    ['a field that is not there', { k: 10 }, /k: there is no such field/],
    [
      'answers of claims',
      { task: 'factChecking', onlyWithAnswer: true },
      /onlyWithAnswer: is for openQA/,
    ],
  ];
  it.each(refused)('refuses %s', (_, change, message) => {
    expect(() => parseClusterInput({ ...least, ...change })).toThrow(message);
  });
});
