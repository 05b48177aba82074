/** Finds the gold passages of a question among those that the method has read. Pure. */
import type { DatasetRecord, GoldPassage } from '../core/dataset-record.js';
import type { GoldScores } from '../core/metric.js';
import { sha256Of } from '../core/sha256.js';
import type { Passage } from '../core/vocabulary.js';

/** A passage that a method has read, with its text. */
export interface ReadPassage extends Passage {
  /** Id of the corpus document that contains it; undefined if it equals the passage's id. */
  document?: string | undefined;
}

/**
 * A question as a run stores it: without its passages, but with the text hashes and, if known, the
 * corpus ids and titles of the gold ones.
 */
export type StoredQuestion = Omit<DatasetRecord, 'passages' | 'passagesRanked' | 'corpusIds'> & {
  gold?: GoldPassage[];
};

/**
 * Returns a question in the form in which a run stores it. In place of its passages are the gold
 * ones, each as a hash of its text, with its title, its grade if that is not 1, and its id if the
 * ids are those of a corpus.
 */
export function withoutPassages({
  passages = [],
  passagesRanked: _,
  corpusIds,
  ...question
}: DatasetRecord): StoredQuestion {
  const gold = passages
    .filter(({ isGold }) => isGold === true)
    .map(
      ({ id, title, text, grade }): GoldPassage => ({
        content: textHash(text),
        ...(corpusIds === true && id !== undefined && { id }),
        ...(title !== '' && { title }),
        ...(grade !== undefined && grade !== 1 && { grade }),
      }),
    );
  return { ...question, ...(gold.length > 0 && { gold }) };
}

/** Returns a hash of a text, 16 hexadecimal digits, that ignores differences in white space. */
function textHash(text: string): string {
  return sha256Of(text.replace(/\s+/g, ' ').trim(), 16);
}

/**
 * Returns, for the passages that were read, best first, the relevance grade of each (`grades`; 0
 * if it is not gold; repeated ones are left out), and the grades of all gold passages (`all`). If
 * all of these have a title, `documents` has the number of their titles (`whole`) and how many of
 * these were read (`part`). Undefined if the question has no gold passages.
 *
 * A passage is gold if its text, its id or its document's id is that of a gold passage. If the
 * data set names ids, each document counts once, at its first passage. A repeated gold text also
 * counts once.
 *
 * @param read Passages best first. Those with the id '' were written by the method and are left
 * out.
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
      const content = textHash(text);
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
