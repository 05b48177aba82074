/** Shows a chain of any shape: its passages, its texts, and the rest as a tree of its fields. Pure. */
import type { Citation } from '../../core/citations.js';
import type { MethodRegistry } from '../../core/method-registry.js';
import type { MethodResult } from '../../core/result.js';
import type { PassageName, Section, TreeNode } from '../../core/section.js';
import type { ViewContext } from '../../core/view.js';
import { baseView, count, note, passageList, section, text } from './section-parts.js';

/** Maximum number of characters of a text without a section or paragraph of its own. */
const SHORT = 60;

function defaultView(chain: unknown, context: ViewContext): Section[] {
  if (typeof chain !== 'object' || chain === null) return section('Chain', text(spell(chain)));
  if (Array.isArray(chain)) return section('Chain', tree(chain));
  const fields = new Map<string, unknown>(Object.entries(chain));
  const take = <T>(name: string, is: (value: unknown) => value is T): T | undefined => {
    const value = fields.get(name);
    if (!is(value)) return undefined;
    fields.delete(name);
    return value;
  };
  const found = take('passages', arePassages) ?? [];
  const reading = take('reading', isText) ?? null;
  const citations = take('citations', areCitations);
  const long = [...fields].filter(([, value]) => isText(value) && value.length > SHORT);
  for (const [name] of long) fields.delete(name);
  return [
    ...long.flatMap(([name, words]) => section(headingOf(name), text(String(words)))),
    ...section('Chain', tree(Object.fromEntries(fields))),
    ...baseView({ passages: found, reading, ...(citations && { citations }) }, context),
  ];
}

/** Returns the name of a field as a heading: "How it went" for "howItWent". */
function headingOf(name: string): string {
  const words = name.replace(
    /([a-z\d])([A-Z])/g,
    (_, end, start) => `${end} ${start.toLowerCase()}`,
  );
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function tree(value: object): Section['blocks'] {
  const items = nodesOf(value);
  return items.length === 0 ? [] : [{ type: 'tree', items }];
}

function nodesOf(value: object): TreeNode[] {
  return Object.entries(value).map(([name, field]) =>
    nodeOf(Array.isArray(value) ? `${Number(name) + 1}.` : `${name}:`, field),
  );
}

function nodeOf(name: string, value: unknown): TreeNode {
  if (isText(value) && value.length > SHORT) {
    return { title: name, chips: [], blocks: text(value), children: [] };
  }
  if (typeof value !== 'object' || value === null) {
    return { title: `${name} ${spell(value)}`, chips: [], blocks: [], children: [] };
  }
  if (arePassages(value)) {
    const title = `${name} ${count(value.length, 'passage')}`;
    return { title, chips: [], blocks: passageList(value), children: [] };
  }
  const children = nodesOf(value);
  const title = children.length === 0 ? `${name} none` : name;
  return { title, chips: [], blocks: [], children };
}

function spell(value: unknown): string {
  return isText(value) ? value : (JSON.stringify(value) ?? '');
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function arePassages(value: unknown): value is PassageName[] {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((one) => isText(Object(one).id) && isText(Object(one).title))
  );
}

function areCitations(value: unknown): value is Citation[] {
  return (
    Array.isArray(value) &&
    value.every((one) => typeof Object(one).number === 'number' && isText(Object(one).passage))
  );
}

/**
 * Returns the sections that show the chain of a result; empty if it has none. If the method's view
 * throws, for example on a chain of another version, a note reports it and the default view is
 * used.
 *
 * @param methods Methods with their views. Chains of other methods are shown with all their fields.
 */
export function sectionsOf(
  { method, chain, answer, evidence }: Pick<MethodResult, 'method' | 'chain'> & ViewContext,
  methods: MethodRegistry,
): Section[] {
  if (chain === null) return [];
  const context = { answer, evidence };
  const view = methods.get(method)?.view;
  if (!view) return defaultView(chain, context);
  try {
    return view(chain as never, context);
  } catch (error) {
    const words = `The view of ${method} cannot show this chain: ${error}`;
    return [...section('View', note(words)), ...defaultView(chain, context)];
  }
}
