/** The data of the report's page, shared by its writer and the page. Types only. */

/**
 * The list of questions: its runs, data sets and rows. Texts are shortened to what a list can show.
 */
export interface QuestionIndex {
  runs: IndexRun[];
  /** Titles of the data sets. */
  data: string[];
  rows: IndexRow[];
}

export interface IndexRun {
  /** Name in the report. */
  name: string;
  /** Name of the run, or of its part. */
  run: string;
  /** Name in the store. */
  stored: string;
  /** Class of its colour. */
  colour: string;
  /** Position of its data set. */
  data: number;
}

export interface IndexRow {
  id: string;
  /** Key of the question in addresses: its id, with its data set if there are several. */
  key: string;
  /** Position of its data set. */
  data: number;
  /** Disagreement of the runs: the number on the smaller side. */
  split: number;
  question: string;
  /** Accepted answers. */
  answers: string[];
  /** Set if a fork among the runs gave it another answer than its parent run. */
  changed?: true;
  /** Cells by run; null if the question has not ended. */
  runs: (IndexCell | null)[];
}

export interface IndexCell {
  /** right, wrong, unknown, unreadable or failed. */
  state: string;
  /** The answer, or why there is none. */
  answer: string;
}

/** The page of a question, ready to show. */
export interface ShownPage {
  markup: string;
  /** Texts of passages, which the markup refers to by position. */
  passages: string[];
}
