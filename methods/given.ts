/** Stand-ins for the questions of a data set: as long as theirs are on the average. Pure. */
import { englishLength } from './estimate.js';
import type { Given } from './planned-call.js';
import type { Passage } from './vocabulary.js';

/** How long a passage is, in characters of English that take as many tokens. */
export interface PassageLength {
  title: number;
  text: number;
}

/** Questions that have as many passages to be asked with, and are judged by as many claims and the same rubrics. */
export interface QuestionGroup {
  questions: number;
  /** Mean length of a question; all lengths are in characters of English. */
  question: number;
  /** The longest first; of several questions the mean of their longest, second longest, ... */
  passages: PassageLength[];
  /** Different passages that all searches for a question together can find. */
  available: number;
  /** Reference claims a question has, and the mean length of all of its claims together. */
  claims: number;
  claimed: number;
  /** Rubrics that an answer is to be read by. */
  rubrics: readonly string[];
  /** Mean length of what an answer should say. */
  gold: number;
}

/** What a question is judged by. */
export interface JudgedBy {
  claims?: readonly string[] | undefined;
  rubrics?: readonly string[];
  gold?: readonly string[];
}

/**
 * What the plan of a question of the group is made from. Since tokens grow with length as a line
 * does, the plan of the mean question takes the mean of what the questions take.
 *
 * @param output As long a text as a step can write.
 */
export function givenOf(
  { question, passages, available }: QuestionGroup,
  output: (step: string, input?: object) => string,
): Given {
  const shown: Passage[] = passages.map(({ title, text }, i) => ({
    id: `${i}`,
    title: letters(title),
    text: letters(text),
  }));
  const outputs = new Map<string, string>();
  return {
    question: letters(question),
    available,
    passages: (count) => shown.slice(0, count),
    output(step, input) {
      const key = `${step} ${JSON.stringify(input)}`;
      const text = outputs.get(key) ?? output(step, input);
      outputs.set(key, text);
      return text;
    },
  };
}

function letters(count: number): string {
  return 'x'.repeat(Math.ceil(count));
}

/** The most passages of others that a question is asked with. */
const MOST_ADDED = 100;

/** Adds questions to groups by how many passages they bring, how many claims, and which rubrics. */
export class QuestionGroups {
  readonly #groups = new Map<string, QuestionGroup>();
  #longest: PassageLength[] = [];

  add(question: string, passages: readonly PassageLength[], judged: JudgedBy = {}): void {
    const { claims = [], rubrics = [], gold = [] } = judged;
    const sorted = longestFirst(passages);
    this.#longest = longestFirst([...this.#longest, ...sorted]).slice(0, MOST_ADDED);
    const key = `${sorted.length} ${claims.length} ${rubrics.join(' ')}`;
    const group = this.#groups.get(key) ?? {
      questions: 0,
      question: 0,
      passages: sorted.map(() => ({ title: 0, text: 0 })),
      available: sorted.length,
      claims: claims.length,
      claimed: 0,
      rubrics,
      gold: 0,
    };
    const mean = (so: number, one: number) => so + (one - so) / (group.questions + 1);
    this.#groups.set(key, {
      ...group,
      questions: group.questions + 1,
      question: mean(group.question, englishLength(question)),
      passages: group.passages.map(({ title, text }, i) => ({
        title: mean(title, sorted[i]?.title ?? 0),
        text: mean(text, sorted[i]?.text ?? 0),
      })),
      claimed: mean(group.claimed, englishLength(claims.join(''))),
      gold: mean(group.gold, englishLength(gold.join(''))),
    });
  }

  /**
   * Those that bring no passages have those of a search in place of none.
   *
   * @param added Passages of other questions that each may be asked with beside its own.
   */
  all(found: readonly PassageLength[], added = 0): QuestionGroup[] {
    const others = longestFirst([...this.#longest, ...found]).slice(0, added);
    return [...this.#groups.values()].map((group) => ({
      ...group,
      available: group.available === 0 ? Infinity : group.available + others.length,
      passages: longestFirst([...(group.available > 0 ? group.passages : found), ...others]),
    }));
  }

  /** Questions that bring no passages. */
  get searching(): number {
    const without = [...this.#groups.values()].filter(({ available }) => available === 0);
    return without.reduce((sum, { questions }) => sum + questions, 0);
  }
}

/** Passages by the length of what is shown of them. */
function longestFirst(passages: readonly PassageLength[]): PassageLength[] {
  return passages.toSorted((a, b) => b.title + b.text - a.title - a.text);
}

/**
 * Passages as long as those found, and so many: what a model asks for can find more than the
 * question did, in which case they are taken to be as long as the longest.
 */
export function filledUp(found: readonly PassageLength[], count: number): PassageLength[] {
  const [longest] = longestFirst(found);
  const more = Math.max(0, count - found.length);
  return longest ? [...found, ...Array.from({ length: more }, () => longest)] : [];
}

/** Of several searches the longest of their longest passages, of their second longest, ... */
export function longestOf(searches: readonly (readonly PassageLength[])[]): PassageLength[] {
  const sorted = searches.map(longestFirst);
  const most = Math.max(0, ...sorted.map((found) => found.length));
  return Array.from({ length: most }, (_, i) => {
    const [longest = { title: 0, text: 0 }] = longestFirst(
      sorted.flatMap((found) => found.slice(i, i + 1)),
    );
    return longest;
  });
}
