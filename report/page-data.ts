/** The data of the report's page, shared by its writer and the page. Types only. */

/**
 * The data of the report's list of questions: its runs, data sets and rows. Texts are shortened for
 * the list.
 */
export interface QuestionIndex {
  runs: IndexRun[];
  /** Titles of the data sets, to which rows and runs refer by position. */
  data: string[];
  rows: IndexRow[];
}

/** A run in the list of questions: its names, its colour and the position of its data set. */
export interface IndexRun {
  /** Name in the report. */
  name: string;
  /** Name of the run, or of its part. */
  run: string;
  /** Name in the store. */
  stored: string;
  /** CSS class of its colour; '' if it has none. */
  colour: string;
  /** Position of its data set. */
  data: number;
}

/**
 * A row of the list of questions: a question, its accepted answers, and for each run its answer,
 * or null if the run has none to this question.
 */
export interface IndexRow {
  id: string;
  /** Key of the question in addresses: its id, with its data set if there are several. */
  key: string;
  /** Position of its data set. */
  data: number;
  /**
   * Disagreement of the runs that have ended: the number that were right or the number that were
   * not, whichever is smaller.
   */
  split: number;
  question: string;
  /** Accepted answers. */
  answers: string[];
  /** Set if a fork among the runs gave it another answer than its parent run. */
  changed?: true;
  /** Answers by the position of the run; null if the run has no answer to it (yet). */
  runs: (IndexCell | null)[];
}

/** The answer of one run in a row of the list of questions: its state and its shortened text. */
export interface IndexCell {
  /** right, wrong, unknown, unreadable or failed. */
  state: string;
  /** The answer, or why there is none. */
  answer: string;
}

/**
 * The HTML of a question's page in the report: its source without the texts of passages, and the
 * source of each passage's text.
 */
export interface ShownPage {
  /** HTML source of the page. */
  markup: string;
  /** HTML sources of the passages' texts, to which the markup refers by position. */
  passages: string[];
}
