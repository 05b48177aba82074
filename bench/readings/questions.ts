/** Development questions with a few short passages each: what two cores can read. */
import { passageStore } from '../../retrieval/supplied-passages.js';
import { MemoryStore } from '../../stores/memory-store.js';
import { firstQuestions } from '../first-questions.js';

export interface ShownQuestion {
  /** Its data set and its id there. */
  id: string;
  question: string;
  /** Every accepted form. */
  answers: string[];
  /** Ids, in the order of the data set. */
  passages: string[];
}

/** What the methods are asked in one turn: a question, and a claim to check. */
export interface Turn {
  question: ShownQuestion;
  claim: ShownQuestion;
}

/** With passages of their own; a question of each in turn, so that no kind of question is left out. */
const QUESTIONS = ['nq', 'hotpotqa', 'asqa', 'realtimeqa', 'musique', 'webq', 'triviaqa', 'popqa'];
const CLAIMS = ['fever', 'fm2'];

/** What is shown of a passage, and of how many. */
const MOST_WORDS = 40;
const MOST_PASSAGES = 8;

/** Where the passages are kept that questions give the ids of. */
export const shownPassages = passageStore(new MemoryStore());

/** The first questions of every data set, one of each in turn. */
export async function readTurns(data: string, count: number): Promise<Turn[]> {
  const [questions, claims] = await Promise.all([
    inTurns(data, QUESTIONS, count),
    inTurns(data, CLAIMS, count),
  ]);
  return questions.flatMap((question, i) => {
    const claim = claims[i];
    return claim === undefined ? [] : [{ question, claim }];
  });
}

async function inTurns(data: string, names: string[], count: number): Promise<ShownQuestion[]> {
  const each = Math.ceil(count / names.length);
  const sets = await Promise.all(names.map((name) => firstOf(data, name, each)));
  const places = Array.from({ length: each }, (_, i) => sets.flatMap((set) => set[i] ?? []));
  return places.flat().slice(0, count);
}

async function firstOf(data: string, name: string, limit: number): Promise<ShownQuestion[]> {
  const found: ShownQuestion[] = [];
  for (const record of await firstQuestions(data, name, limit)) {
    const { id, question, answers, passages = [] } = record;
    const short = passages.slice(0, MOST_PASSAGES).map(({ title, text }) => ({
      title,
      text: text.split(/\s+/).slice(0, MOST_WORDS).join(' '),
    }));
    const refs = await shownPassages.put(short);
    found.push({ id: `${name}/${id}`, question, answers, passages: refs.map((ref) => ref.id) });
  }
  return found;
}

/** Those passages of a question that share most words with a query: enough of a search here. */
export async function search(
  { passages }: ShownQuestion,
  query: string,
  count: number,
): Promise<string[]> {
  const wanted = new Set(query.toLowerCase().match(/[\p{L}\p{N}]{4,}/gu) ?? []);
  const ranked = (await shownPassages.get(passages)).map(({ id, title, text }) => {
    const shown = `${title} ${text}`.toLowerCase();
    return { id, shared: [...wanted].filter((word) => shown.includes(word)).length };
  });
  ranked.sort((one, other) => other.shared - one.shared);
  return ranked.slice(0, count).map(({ id }) => id);
}
