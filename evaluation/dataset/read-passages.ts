/** Reads the passages that come with a question. Pure. */
import { z } from 'zod';
import { BadField, check, type Field, type Line } from './line.js';
import { passagesIn } from './passage-shapes.js';
import type { DatasetPassage } from './record.js';

/** Fields whose passages belong together, in this order; a line may have one such family. */
interface Family {
  fields: readonly string[];
  /** Those of them that are the source of the answer. */
  gold?: readonly string[];
}

const FAMILIES: readonly Family[] = [
  // DPR's and Tevatron's training files, FoolMeTwice.
  { fields: ['positive_ctxs', 'hard_negative_ctxs', 'negative_ctxs'], gold: ['positive_ctxs'] },
  { fields: ['positive_passages', 'negative_passages'], gold: ['positive_passages'] },
  { fields: ['gold_evidence', 'retrieved_evidence'], gold: ['gold_evidence'] },
  ...['contexts', 'passages', 'documents', 'docs'].map((name) => ({
    fields: [`retrieved_${name}`],
  })),
  ...['ctxs', 'docs', 'documents', 'document', 'context', 'contexts', 'paragraphs'].map((name) => ({
    fields: [name],
  })),
  ...['paragraph', 'passage', 'search_results', 'snippets', 'chunks'].map((name) => ({
    fields: [name],
  })),
  // What people wrote down as the reason of the answer.
  ...['evidence', 'facts'].map((name) => ({ fields: [name], gold: [name] })),
];

/**
 * The passages of a line, best first as far as the file says; undefined where it has none.
 *
 * `passages`, this project's own name, goes before everything else, unless it is empty.
 *
 * @throws BadField for passages in a form that is not known, and for two families of them: which
 * one is meant cannot be told.
 */
export function readPassages(line: Line): DatasetPassage[] | undefined {
  const own = line.find('passages');
  const passages = own && passagesIn(line.read(own, 'passages'), own.name);
  return passages && passages.length > 0 ? passages : (readOthers(line) ?? passages);
}

function readOthers(line: Line): DatasetPassage[] | undefined {
  const [first, second] = FAMILIES.filter(({ fields }) =>
    fields.some((name) => filled(line, name)),
  );
  if (first && second) {
    const [one, other] = [first, second].map(
      ({ fields }) => fields.map((name) => filled(line, name)).find(Boolean)?.name,
    );
    throw new BadField(
      `${other}: holds passages, as ${one} does: call those that are wanted passages`,
    );
  }
  const passages = first ? readFamily(line, first) : readEmpty(line);
  const references = filled(line, 'reference_contexts');
  if (!references) return markSupporting(line, passages);
  return markReferences(passages, passagesIn(line.read(references, 'gold'), references.name));
}

/** A field with something in it that can be a text. */
function filled(line: Line, name: string): Field | undefined {
  const field = line.find(name);
  if (!field) return undefined;
  const { value } = field;
  const isThere = typeof value === 'string' ? value.trim() !== '' : hasKeys(value);
  return isThere && !isPlaces(name, value) ? field : undefined;
}

function hasKeys(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

/** FEVER's and StrategyQA's evidence are places, TriviaQA's search results files: no texts. */
function isPlaces(name: string, value: unknown): boolean {
  const items = Array.isArray(value) ? value : [value];
  if (name === 'evidence') {
    return items.some(
      (item) => Array.isArray(item) || (typeof item === 'string' && !/\s/.test(item)),
    );
  }
  return (
    name === 'search_results' &&
    items.every((item) => hasKeys(item) && Object.keys(item).some((key) => /^filename$/i.test(key)))
  );
}

function readFamily(line: Line, { fields, gold = [] }: Family): DatasetPassage[] {
  const heading = [line.find('title'), line.find('term')].find(
    (field) => typeof field?.value === 'string',
  );
  return fields.flatMap((name) => {
    const field = filled(line, name);
    if (!field) return [];
    const title = heading ? String(heading.value) : undefined;
    const passages = passagesIn(line.read(field, 'passages'), field.name, title);
    return gold.includes(name) ? passages.map((one) => ({ ...one, isGold: true })) : passages;
  });
}

/** An empty list says that there are none, as ALCE's `docs: []`. */
function readEmpty(line: Line): [] | undefined {
  const empty = FAMILIES.flatMap(({ fields }) => fields.map((name) => line.find(name))).find(
    (field) => Array.isArray(field?.value) && field.value.length === 0,
  );
  if (!empty) return undefined;
  line.read(empty, 'passages');
  return [];
}

const supporting = z.union([
  z.array(z.tuple([z.string(), z.int()])).transform((facts) => facts.map(([name]) => name)),
  z.object({ title: z.array(z.string()) }).transform(({ title }) => title),
]);

/** HotpotQA names the titles of the paragraphs that are needed. */
function markSupporting(
  line: Line,
  passages: DatasetPassage[] | undefined,
): DatasetPassage[] | undefined {
  const field = line.find('supporting_facts');
  if (!field || !passages) return passages;
  const gold = new Set(check(supporting, line.read(field, 'gold'), field.name));
  return passages.map((one) => ({ ...one, isGold: gold.has(one.title) }));
}

/** RAGAS has the passages that are needed apart from those that were retrieved. */
function markReferences(
  passages: DatasetPassage[] | undefined,
  references: readonly DatasetPassage[],
): DatasetPassage[] {
  if (!passages) return references.map((one) => ({ ...one, isGold: true }));
  const gold = new Set(references.map(({ text }) => text));
  return passages.map((one) => ({ ...one, isGold: gold.has(one.text) }));
}
