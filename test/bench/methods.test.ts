import { describe, expect, it } from 'vitest';
import { planFor } from '../../bench/methods/plan.js';
import { methods } from '../../workflows/methods.js';

describe('the plan', () => {
  it('has every method once, the twelve questions of the papers’ methods first', () => {
    const plan = planFor();
    expect(plan.map(({ method }) => method).sort()).toEqual(Object.keys(methods).sort());
    expect(plan.map(({ questions }) => questions).slice(0, 8)).toEqual(Array(8).fill(12));
  });

  it('gives every method options that it takes', () => {
    for (const { method, options } of planFor()) {
      expect(methods[method].options.safeParse(options).error, method).toBeUndefined();
    }
  });

  it('takes only what is asked for', () => {
    const plan = planFor(['base', 'allies'], 2);
    expect(plan.map(({ method, questions }) => `${method} ${questions}`)).toEqual([
      'allies 2',
      'base 2',
    ]);
    expect(() => planFor(['base', 'sur'])).toThrow('There is no method "sur"; there are sure,');
  });
});
