import { expect, it } from 'vitest';
import { shortened } from '../../core/shortened.js';

it.each([
  ['fits', 4, 'fits'],
  [' two\n lines ', 9, 'two lines'],
  ['too long by far', 8, 'too lon…'],
  ['too long by far', 5, 'too…'],
  ['abc🌍def', 5, 'abc…'],
  ['abc🌍def', 6, 'abc🌍…'],
])('%j in %i characters is %j', (text, longest, short) => {
  expect(shortened(text, longest)).toBe(short);
});
