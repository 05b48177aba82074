/** Where the docs work something out, the result follows from the figures beside it. */
import { expect, it } from 'vitest';
import { pages } from './pages.js';

/** A figure with a unit or a power of ten, or a sign. */
const TOKEN = /10⁶|\d[\d,]*(?:\.\d+)?(?: ?(?:KB|MB|GB|ms|s)\b)?|[+/()x×]/g;
/** At least one operation in front of the equals sign, and a figure behind it. */
const WORKED_OUT =
  /((?:10⁶|[\d(])(?:[\d,.()⁶ ]| ?(?:KB|MB|GB|ms|s)\b| [+/x×] )*) = (\d[\d,]*(?:\.\d+)?(?: ?(?:KB|MB|GB)\b)?)/g;
const OPERATION = / [+/x×] /;
/** Results are rounded. */
const TOLERANCE = 0.02;
const UNITS: Readonly<Record<string, number>> = { KB: 1e3, MB: 1e6, GB: 1e9 };

const equations = pages.flatMap(({ path, prose }) =>
  [...prose.matchAll(WORKED_OUT)]
    .filter(([, left = '']) => OPERATION.test(left))
    .map(([whole, left = '', right = '']) => ({ path, whole, left, right })),
);

it('finds what is worked out', () => {
  expect(equations.map(({ whole }) => whole)).toContain('70,000,000 / 10,000 = 7,000');
});

it.each(equations)('$path: $whole', ({ left, right }) => {
  const [result, stated] = [computed(left), computed(right)];
  expect(Math.abs(result / stated - 1), `it is ${result}`).toBeLessThan(TOLERANCE);
});

it('knows brackets, precedence and units', () => {
  expect(computed('2 + 3 x 4')).toBe(14);
  expect(computed('(2,000 + 1) / 3')).toBe(667);
  expect(computed('60 KB x 1,000')).toBe(6e7);
  expect(computed('(2 × 0.25 + 1) / 10⁶ × 10,000')).toBeCloseTo(0.015, 12);
  expect(computed('0.5 s / (7 x 60 s)')).toBeCloseTo(0.5 / 420, 12);
});

/** Seconds count as they are, bytes as bytes. */
function computed(text: string): number {
  const tokens = text.match(TOKEN) ?? [];
  const value = sum();
  if (tokens.length > 0) throw new Error(`"${text}" is not understood from "${tokens[0]}" on.`);
  return value;

  function sum(): number {
    let value = product();
    while (tokens[0] === '+') {
      tokens.shift();
      value += product();
    }
    return value;
  }

  function product(): number {
    let value = figure();
    while (['x', '×', '/'].includes(tokens[0] ?? '')) {
      value = tokens.shift() === '/' ? value / figure() : value * figure();
    }
    return value;
  }

  function figure(): number {
    const token = tokens.shift() ?? '';
    if (token === '10⁶') return 1e6;
    if (token !== '(')
      return Number.parseFloat(token.replaceAll(',', '')) * (UNITS[token.slice(-2)] ?? 1);
    const value = sum();
    tokens.shift();
    return value;
  }
}
