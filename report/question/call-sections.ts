/** Shows the calls of a question. Pure. */
import type { Card, Chip, PassageName, Section } from '../../core/section.js';
import { paidCalls } from '../../core/usage.js';
import type { CallFigures } from '../../evaluation/runs/call-figures.js';
import { count, paidText, plural } from '../../evaluation/runs/number-text.js';
import { cards, chip, section, text } from '../views/section-parts.js';

/**
 * Returns an array with one section, which has a card for each call of a step, in the given order;
 * empty without calls.
 */
export function callSections(calls: readonly CallFigures[]): Section[] {
  return section('Calls', cards(calls.map(cardOf)), { note: count(calls.length) });
}

function cardOf(call: CallFigures): Card {
  const { name, label, address } = call;
  return {
    title: `${name}  ${label}`.trimEnd(),
    call: address,
    chips: chipsOf(call),
    blocks: text(outputText(call)),
  };
}

function outputText({ output, found }: CallFigures): string | undefined {
  // A call counted as a search returned passages.
  if (found !== undefined && Array.isArray(output)) {
    return output.map(({ title, id, own }: PassageName) => title || (own?.id ?? id)).join('; ');
  }
  return typeof output === 'string' ? output : JSON.stringify(output);
}

function chipsOf(call: CallFigures): Chip[] {
  const { output, found, models, usage, reasked, fallback, cut, taken } = call;
  const { promptTokens, completionTokens, cachedCalls } = usage;
  const tokens = `${count(promptTokens)} in, ${count(completionTokens)} out`;
  const times = reasked === 1 ? 'once' : `${count(reasked)} times`;
  return [
    ...(taken ? [chip('taken')] : []),
    ...(found === undefined ? [] : [chip(plural(found, 'passage'))]),
    ...models.map((model) => chip(model)),
    ...(paidCalls(usage) > 0 ? [chip(tokens)] : []),
    ...(paidCalls(usage) > 0 || usage.estimated ? [chip(paidText(usage))] : []),
    ...(cachedCalls > 0 ? [chip('from the cache')] : []),
    ...(reasked > 0 ? [chip(`asked again ${times}`, 'warn')] : []),
    ...(cut ? [chip('cut', 'warn')] : []),
    ...(fallback ? [chip('not readable: fallback', 'bad')] : []),
    ...(output === undefined ? [chip('failed', 'bad')] : []),
  ];
}
