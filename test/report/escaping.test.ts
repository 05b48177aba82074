/** Nothing that a model or a corpus says can become markup. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { html, Markup, scriptJson } from '../../report/html.js';

const nasty = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('</script>', '<!--', ']]>', '&amp;', '" onload="x', "'", '<script>', '\u2028'),
);
const nastyText = fc.array(nasty).map((parts) => parts.join(''));

test('a value in a template has no character that markup is made of', () => {
  fc.assert(
    fc.property(nastyText, (text) => {
      const { source } = html`<p title="${text}">${text}</p>`;
      const [, inner = ''] = /^<p title="[^"]*">([\s\S]*)<\/p>$/.exec(source) ?? [];
      expect(inner).not.toMatch(/[<>"']|&(?!#\d+;)/);
      expect(inner.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(code))).toBe(text);
    }),
  );
});

test('JSON in a script element cannot end it, and comes back as it was', () => {
  fc.assert(
    fc.property(nastyText, (text) => {
      const { source } = scriptJson({ text });
      expect(source).not.toContain('<');
      expect(JSON.parse(source)).toEqual({ text });
    }),
  );
});

test('markup stays markup, nothing stays nothing, and lists are joined', () => {
  const item = html`<li>${'a&b'}</li>`;
  expect(html`<ul>${[item, null, [item]]}${false}${undefined}${0}</ul>`.source).toBe(
    '<ul><li>a&#38;b</li><li>a&#38;b</li>0</ul>',
  );
  expect(html`${new Markup('<hr>')}`.source).toBe('<hr>');
});
