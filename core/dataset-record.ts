import { z } from 'zod';

/**
 * The kinds of answer that a question can ask for:
 *
 * - span: a short answer, scored by EM and F1;
 * - boolean: yes, no, true or false;
 * - label: a claim that is supported or refuted;
 * - list: several answers, all of which are expected;
 * - long: a text, scored by the short answers, claims or references that it should contain.
 */
export const ANSWER_KINDS = ['span', 'boolean', 'label', 'list', 'long'] as const;
/**
 * The kind of answer that a question asks for: span, boolean, label, list or long (see
 * `ANSWER_KINDS`). It decides the metrics of the question.
 */
export type AnswerKind = (typeof ANSWER_KINDS)[number];

/**
 * A passage that comes with a question of a data set, with what the file says of it: whether it
 * contains an answer, whether it is gold, its relevance grade and the score of the retriever.
 */
export interface DatasetPassage {
  /** Id in the file; two questions may use one id for different texts. */
  id?: string | undefined;
  title: string;
  text: string;
  /** Whether it contains an answer; undefined if the file does not say. */
  hasAnswer?: boolean | undefined;
  /** Whether people marked it as a source of the answer; undefined if the file does not say. */
  isGold?: boolean | undefined;
  /** Relevance grade of a gold passage, above 0, if the file grades them. @default 1 */
  grade?: number | undefined;
  /** Score of the retriever, higher is better; undefined if the file has none. */
  score?: number | undefined;
}

/**
 * A question of a data set, in the form that every data set reader returns: its id and text, the
 * accepted answers and their kind, and the passages that come with it.
 */
export interface DatasetRecord {
  id: string;
  question: string;
  /** All accepted forms; may be empty if there are `claims` or `longAnswers`. */
  answers: string[];
  /** False if the data set marks the question as unanswerable. */
  answerable?: false | undefined;
  answerKind: AnswerKind;
  /** Passages that come with the question, best first unless `passagesRanked` is false. */
  passages?: DatasetPassage[] | undefined;
  /** False if the passages are in no order of relevance. */
  passagesRanked?: false | undefined;
  /**
   * True if the ids of its passages are ids of a corpus, by which gold passages are recognised
   * among those that a search finds.
   */
  corpusIds?: true | undefined;
  /** Class of a claim, named as in the file. */
  label?: string | undefined;
  /** Accepted forms of each expected answer, one list per answer. */
  answerGroups?: string[][] | undefined;
  /** Reference answers in prose. */
  longAnswers?: string[] | undefined;
  /** Reference claims, which a long answer should entail. */
  claims?: string[] | undefined;
  /**
   * Other fields of its record, by name, for slices of tables and for clusters of questions. No
   * model sees them, so they change no answer.
   */
  fields?: Record<string, string> | undefined;
}

/**
 * A passage that people marked as a source of the answer, identified by the hash of its text, or
 * by its id in the corpus.
 */
export interface GoldPassage {
  /** Hash of its text. */
  content: string;
  /** Id of the passage in the corpus of the data set. */
  id?: string | undefined;
  /** Title; left out if it has none. */
  title?: string | undefined;
  /** Relevance grade, above 0. @default 1 */
  grade?: number | undefined;
}

/**
 * Schema of the origin of a fetched file of data: its address and commit, its size and hash, and
 * the time of the fetch.
 */
export const dataSource = z.object({
  /** The address as given, without its query. */
  address: z.string(),
  /** Commit on the hub; null for another server. */
  revision: z.string().nullable(),
  /** Number of fetched bytes. */
  bytes: z.number(),
  /** SHA-256 of the fetched bytes, in hexadecimal digits. */
  sha256: z.string(),
  /** ISO time of the fetch. */
  fetchedAt: z.string(),
});

/**
 * The origin of a fetched file of data: its address and commit, its size in bytes and hash, and
 * the time of the fetch.
 */
export type DataSource = z.infer<typeof dataSource>;

/**
 * The description of a stored data set: the hash of its questions, its file, and counts of its
 * questions.
 */
export interface Snapshot {
  /** SHA-256 of its questions, in hexadecimal digits; equal for equal questions from any file. */
  sha256: string;
  /** File name, without its folder. */
  file: string;
  questions: number;
  /** Number of questions by kind of answer. */
  kinds: Partial<Record<AnswerKind, number>>;
  /** Number of questions whose passages are in no order of relevance; absent if there are none. */
  unranked?: number;
  /**
   * Number of records that were left out because they are not questions; absent if there are none.
   */
  skipped?: number;
  /**
   * Number of questions whose id occurs more than once in the file, so that a number was appended
   * to it; absent if there are none.
   */
  numbered?: number;
  /** Source of the file; absent if it was not given by address. */
  source?: DataSource;
}
