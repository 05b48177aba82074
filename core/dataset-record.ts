import { z } from 'zod';

/**
 * - span: a short answer, scored by EM and F1;
 * - boolean: yes, no, true or false;
 * - label: a claim that is supported or refuted;
 * - list: several answers, all of them wanted;
 * - long: a text, scored by the short answers, claims or references it should hold.
 */
export const ANSWER_KINDS = ['span', 'boolean', 'label', 'list', 'long'] as const;
export type AnswerKind = (typeof ANSWER_KINDS)[number];

export interface DatasetPassage {
  /** As the file names it; two questions may give the same id to different texts. */
  id?: string | undefined;
  title: string;
  text: string;
  /** Whether it contains an answer, where the file says so. */
  hasAnswer?: boolean | undefined;
  /** Whether people marked it as the source of the answer. */
  isGold?: boolean | undefined;
  /** How relevant a gold one is, above 0, if the file grades them. @default 1 */
  grade?: number | undefined;
  /** The retriever's, where there was one. */
  score?: number | undefined;
}

export interface DatasetRecord {
  id: string;
  question: string;
  /** Every accepted form; may be empty where `claims` or `longAnswers` are there. */
  answers: string[];
  /** False if nothing that comes with the question answers it. */
  answerable?: false | undefined;
  answerKind: AnswerKind;
  /** Best first, unless `passagesRanked` says otherwise. */
  passages?: DatasetPassage[] | undefined;
  /** False if the passages are in no order of relevance. */
  passagesRanked?: false | undefined;
  /** True if the ids of its passages are those of a corpus, so that they are found there by them. */
  corpusIds?: true | undefined;
  /** The class of a claim, as the file names it. */
  label?: string | undefined;
  /** The names of each wanted answer. */
  answerGroups?: string[][] | undefined;
  longAnswers?: string[] | undefined;
  claims?: string[] | undefined;
  /**
   * What else its record says of it, by field: tables are told by slices of them, and questions are
   * clustered by them. No model is shown them, so that they change no answer.
   */
  fields?: Record<string, string> | undefined;
}

/** A gold passage of a question, by what tells it among passages that were read. */
export interface GoldPassage {
  /** A hash of its text. */
  content: string;
  /** In the corpus that the data set is of. */
  id?: string | undefined;
  /** Left out if it has none. */
  title?: string | undefined;
  /** @default 1 */
  grade?: number | undefined;
}

/** The place and the version that a file was fetched from. */
export const dataSource = z.object({
  /** The address as it was named, without a query. */
  address: z.string(),
  /** The commit of the hub; null for another server. */
  revision: z.string().nullable(),
  /** Bytes that were fetched. */
  bytes: z.number(),
  /** SHA-256 of the bytes that were fetched, hexadecimal. */
  sha256: z.string(),
  /** ISO time. */
  fetchedAt: z.string(),
});

export type DataSource = z.infer<typeof dataSource>;

/** What a data set held when it was stored. */
export interface Snapshot {
  /** Of its questions, hexadecimal: equal for equal questions, whatever file they came in. */
  sha256: string;
  /** What the file was called, without its folder. */
  file: string;
  questions: number;
  /** Questions by kind of answer. */
  kinds: Partial<Record<AnswerKind, number>>;
  /** Questions whose passages are in no order of relevance; left out if there is none. */
  unranked?: number;
  /** Records that were left out, since they are no questions; left out itself if there is none. */
  skipped?: number;
  /** Questions that stand in the file again and have a number behind their id. */
  numbered?: number;
  /** Where the file was fetched from, if it was named by its address. */
  source?: DataSource;
}
