/** Finds the gold passages of the data set among those that a question was answered from. Pure. */
import type { DatasetRecord, GoldPassage } from '../core/dataset-record.js';
import type { GoldScores } from '../core/metric.js';
import { sha256Of } from '../core/sha256.js';
import type { Passage } from '../core/vocabulary.js';

/** A passage that was read, with the id of its document in the corpus if that is another one. */
export interface ReadPassage extends Passage {
  document?: string | undefined;
}

/** A question as a run keeps it: its gold passages in place of all that came with it. */
export type KeptQuestion = Omit<DatasetRecord, 'passages' | 'passagesRanked' | 'corpusIds'> & {
  gold?: GoldPassage[];
};

/** Returns a record without its passages, but with what tells the gold ones. */
export function withoutPassages({
  passages = [],
  passagesRanked: _,
  corpusIds,
  ...question
}: DatasetRecord): KeptQuestion {
  const gold = passages
    .filter(({ isGold }) => isGold === true)
    .map(
      ({ id, title, text, grade }): GoldPassage => ({
        content: contentOf(text),
        ...(corpusIds === true && id !== undefined && { id }),
        ...(title !== '' && { title }),
        ...(grade !== undefined && grade !== 1 && { grade }),
      }),
    );
  return { ...question, ...(gold.length > 0 && { gold }) };
}

/** Returns a hash of a text in which white space does not count. */
function contentOf(text: string): string {
  return sha256Of(text.replace(/\s+/g, ' ').trim(), 16);
}

/**
 * Tells which of the passages are gold: those of the same text, and of a corpus those whose id, or
 * whose document's, the data set names. If it names ids, passages of one document count once, at the
 * first of them, as judgements of documents ask for; and so does a text that is read again.
 *
 * @param read Best first; what has no id was written by the method and is left out.
 */
export function goldScores(
  gold: readonly GoldPassage[],
  read: readonly ReadPassage[],
): GoldScores | undefined {
  if (gold.length === 0) return undefined;
  const hasIds = gold.some(({ id }) => id !== undefined);
  const found = new Set<GoldPassage>();
  const documents = new Set<string>();
  const grades = read
    .filter(({ id }) => id !== '')
    .flatMap(({ id, document = id, text }) => {
      if (hasIds && documents.has(document)) return [];
      documents.add(document);
      const content = contentOf(text);
      const isIt = (one: GoldPassage) =>
        one.content === content || (one.id !== undefined && (one.id === id || one.id === document));
      const one = gold.find((other) => isIt(other) && !found.has(other));
      if (one) found.add(one);
      else if (gold.some(isIt)) return [];
      return [one ? gradeOf(one) : 0];
    });
  const wanted = new Set(gold.flatMap(({ title }) => (title ? [sameTitle(title)] : [])));
  const titles = new Set(read.map(({ title }) => sameTitle(title)));
  return {
    grades,
    all: gold.map(gradeOf),
    ...(gold.every(({ title }) => title) && {
      documents: {
        part: [...wanted].filter((title) => titles.has(title)).length,
        whole: wanted.size,
      },
    }),
  };
}

function gradeOf({ grade = 1 }: GoldPassage): number {
  return grade;
}

function sameTitle(title: string): string {
  return title
    .normalize('NFC')
    .toLowerCase()
    .replace(/[\s_]+/g, ' ')
    .trim();
}
