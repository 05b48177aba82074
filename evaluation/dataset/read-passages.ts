/** Reads the passages that come with a question. Pure. */
import { z } from 'zod';
import { plainName } from './fields.js';
import { BadField, check, type Field, type Line } from './line.js';
import { passagesIn } from './passage-shapes.js';
import type { DatasetPassage } from './record.js';
import { writtenIn } from './values.js';

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
  // Sentence pairs; RGB's have some that were edited to a false answer.
  { fields: ['positive', 'positive_wrong', 'negative'], gold: ['positive'] },
  { fields: ['pos', 'neg'], gold: ['pos'] },
  ...['contexts', 'passages', 'documents', 'docs'].map((name) => ({
    fields: [`retrieved_${name}`],
  })),
  { fields: ['retrieved_context'] },
  { fields: ['retrieval_context'] },
  ...['ctxs', 'docs', 'documents', 'document', 'context', 'contexts', 'paragraphs'].map((name) => ({
    fields: [name],
  })),
  { fields: ['search_results', 'entity_pages'] },
  ...['paragraph', 'passage', 'snippets', 'chunks', 'quotes', 'article', 'articles'].map(
    (name) => ({ fields: [name] }),
  ),
  ...['support', 'supports'].map((name) => ({ fields: [name] })),
  // What people wrote down as the reason of the answer.
  ...['evidence', 'evidence_list'].map((name) => ({ fields: [name], gold: [name] })),
  { fields: ['facts', 'fact1', 'fact2'], gold: ['facts', 'fact1', 'fact2'] },
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
  const references = referencesOf(line);
  const [first, second] = FAMILIES.filter(({ fields }) =>
    fields.some((name) => filled(line, name) && line.find(name) !== references),
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
  if (!references) return markSupporting(line, passages);
  return markReferences(passages, passagesIn(line.read(references, 'gold'), references.name));
}

const REFERENCES = [
  ...['reference_contexts', 'reference_context', 'gold_contexts', 'gold_context'],
  ...['gold_passages', 'gold_passage'],
];

/** RAGAS and DeepEval have what is needed apart from what was retrieved. */
function referencesOf(line: Line): Field | undefined {
  return (
    REFERENCES.map((name) => filled(line, name)).find((field) => field !== undefined) ??
    (filled(line, 'retrieval_context') && filled(line, 'context'))
  );
}

/** A field with something in it that can be a text. */
function filled(line: Line, name: string): Field | undefined {
  const field = line.find(name);
  if (!field) return undefined;
  const { value } = field;
  const isThere = typeof value === 'string' ? value.trim() !== '' : hasKeys(value);
  return isThere && !isPlaces(name, value) ? field : undefined;
}

/** Columns that are all empty hold nothing. */
function hasKeys(value: unknown): value is object {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).some((held) => !Array.isArray(held) || held.length > 0)
  );
}

const ADDRESS = /^https?:\/\/\S+$/;

/**
 * FEVER's and StrategyQA's evidence are places, SciFact's are places by document, TriviaQA's search
 * results may be files and BioASQ's documents are addresses: no texts.
 */
function isPlaces(name: string, value: unknown): boolean {
  const items = Array.isArray(value) ? value : [value];
  if (items.every((item) => typeof item === 'string' && ADDRESS.test(item))) return true;
  if (name === 'evidence') {
    return items.some(
      (item) =>
        Array.isArray(item) ||
        (typeof item === 'string' && !/\s/.test(item)) ||
        isByDocument(item) ||
        isContent(item),
    );
  }
  return (
    (name === 'search_results' || name === 'entity_pages') &&
    items.every((item) => hasKeys(item) && isFile(item))
  );
}

/** FEVEROUS's places, as B_sentence_1. */
function isContent(item: unknown): boolean {
  if (!hasKeys(item) || !('content' in item) || !Array.isArray(item.content)) return false;
  return item.content.every((place) => typeof place === 'string' && !/\s/.test(place));
}

function isByDocument(item: unknown): boolean {
  return (
    hasKeys(item) &&
    Object.values(item).every(
      (judged) =>
        Array.isArray(judged) && judged.every((one) => hasKeys(one) && 'sentences' in one),
    )
  );
}

function isFile(item: object): boolean {
  const names = Object.keys(item).map(plainName);
  return names.includes('filename') && !names.some((name) => /^(?:search|wiki)context$/.test(name));
}

function readFamily(line: Line, { fields, gold = [] }: Family): DatasetPassage[] {
  const heading = [line.find('title'), line.find('term')].find(
    (field) => typeof field?.value === 'string',
  );
  return fields.flatMap((name) => {
    const field = filled(line, name);
    if (!field) return [];
    const title = heading ? String(heading.value) : undefined;
    checkNoHistory(line, field);
    const passages = passagesIn(line.read(field, 'passages'), field.name, title);
    return gold.includes(name) ? passages.map((one) => ({ ...one, isGold: true })) : passages;
  });
}

/** @throws BadField for what was said before in a conversation, which is no passage. */
function checkNoHistory(line: Line, { name, value }: Field): void {
  const turn = line.find('turn_no') ?? line.find('turn_id');
  if (!turn || !Array.isArray(value) || plainName(name) !== 'context') return;
  throw new BadField(
    `${name}: seems to be the conversation so far, since the line has ${turn.name}: passages are to be called passages, and a question has to stand alone`,
  );
}

/** An empty list says that there are none, as ALCE's `docs: []`. */
function readEmpty(line: Line): [] | undefined {
  const names = FAMILIES.flatMap(({ fields }) => fields.slice(0, 1));
  const empty = names
    .map((name) => line.find(name))
    .find((field) => Array.isArray(field?.value) && field.value.length === 0);
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
  const value = line.read(field, 'gold');
  const facts = typeof value === 'string' ? writtenIn(value, field.name) : value;
  const gold = new Set(check(supporting, facts, field.name));
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
