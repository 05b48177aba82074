/** How much workers do at a time. */
import { expect, it } from 'vitest';
import { ROLES } from '../../core/roles.js';
import { slotOptions } from '../../workers/slots.js';

it.each([
  [ROLES, 'models'],
  [['questions', 'retrieval'], 'retrieval'],
  [['questions'], 'questions'],
] as const)('counts, of workers for %j, the %s', (roles, counted) => {
  const slots = slotOptions(7, roles);
  for (const role of roles) {
    const expected = role === counted ? { maxConcurrentActivityTaskExecutions: 7 } : {};
    expect(slots(role)).toEqual(expected);
  }
});

it('fills one room with all workers of a process', () => {
  const slots = slotOptions('auto', ROLES);
  const [questions, models] = [slots('questions'), slots('models')];
  expect(questions.tuner).toHaveProperty('controller');
  expect(models.tuner).toEqual(questions.tuner);
  expect(models.maxConcurrentActivityTaskExecutions).toBeUndefined();
});

it.each([
  { memory: 0, cpu: 0.5 },
  { memory: 0.5, cpu: 90 },
  { memory: Number.NaN, cpu: 0.5 },
])('refuses shares that are none: %o', (shares) => {
  expect(() => slotOptions(shares, ROLES)).toThrow('shares above 0 and up to 1');
});
