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
/** The kind of answer that a question asks for; decides its metrics. See `ANSWER_KINDS`. */
export type AnswerKind = (typeof ANSWER_KINDS)[number];

/** A passage that comes with a question of a data set. */
export interface DatasetPassage {
  /** Id in the file; two questions may use one id for different texts. */
  id?: string | undefined;
  title: string;
  text: string;
  /** Whether it contains an answer; undefined if the file does not say. */
  hasAnswer?: boolean | undefined;
  /** Whether people marked it as the source of the answer. */
  isGold?: boolean | undefined;
  /** Relevance grade of a gold passage, above 0, if the file grades them. @default 1 */
  grade?: number | undefined;
  /** Score of the retriever; undefined without one. */
  score?: number | undefined;
}

/**
 * A question of a data set with its accepted answers, in the form that every data set reader
 * returns.
 */
export interface DatasetRecord {
  id: string;
  question: string;
  /** Every accepted form; may be empty if there are `claims` or `longAnswers`. */
  answers: string[];
  /** False if nothing that comes with the question answers it. */
  answerable?: false | undefined;
  answerKind: AnswerKind;
  /** Passages that come with the question, best first unless `passagesRanked` is false. */
  passages?: DatasetPassage[] | undefined;
  /** False if the passages are in no order of relevance. */
  passagesRanked?: false | undefined;
  /**
   * True if the ids of its passages are ids of a corpus, so that the corpus is searched for them.
   */
  corpusIds?: true | undefined;
  /** Class of a claim, named as in the file. */
  label?: string | undefined;
  /** Accepted names of each wanted answer. */
  answerGroups?: string[][] | undefined;
  /** Reference texts. */
  longAnswers?: string[] | undefined;
  /** Reference claims, which a long answer should entail. */
  claims?: string[] | undefined;
  /**
   * Other fields of its record, by name, for slices of tables and for clusters of questions. No
   * model sees them, so they change no answer.
   */
  fields?: Record<string, string> | undefined;
}

/** A passage that people marked as the source of an answer, identified by its content or its id. */
export interface GoldPassage {
  /** Hash of its text. */
  content: string;
  /** Id of the passage in the corpus of the data set. */
  id?: string | undefined;
  /** Title; left out if it has none. */
  title?: string | undefined;
  /** @default 1 */
  grade?: number | undefined;
}

/** Schema of the address and version that a file of data was fetched from. */
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

/** The address and version that a file of data was fetched from. */
export type DataSource = z.infer<typeof dataSource>;

/** A description of a stored data set: its hash, its file, and counts of its questions. */
export interface Snapshot {
  /** SHA-256 of its questions, in hexadecimal digits; equal for equal questions from any file. */
  sha256: string;
  /** File name, without its folder. */
  file: string;
  questions: number;
  /** Questions by kind of answer. */
  kinds: Partial<Record<AnswerKind, number>>;
  /** Questions whose passages are in no order of relevance; absent if there are none. */
  unranked?: number;
  /** Records that were left out because they are not questions; absent if there are none. */
  skipped?: number;
  /** Questions whose id occurs more than once in the file, so that a number was appended to it. */
  numbered?: number;
  /** Source of the file, if it was given by address. */
  source?: DataSource;
}
