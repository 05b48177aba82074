/** The data of the report's page, shared by its writer and the page. Types only. */

/** A line of the list of questions; strings are cut to what a list can show. */
export interface QuestionIndex {
  runs: IndexRun[];
  /** Titles of the data sets. */
  data: string[];
  rows: IndexRow[];
}

export interface IndexRun {
  /** What it is called in the report. */
  name: string;
  /** Its name, or that of its part. */
  run: string;
  /** What it is called in the store. */
  stored: string;
  /** Class of its colour. */
  colour: string;
  /** Position of its data set. */
  data: number;
}

export interface IndexRow {
  id: string;
  /** Names the question in addresses: its id, and its data set where there are several. */
  key: string;
  /** Position of its data set. */
  data: number;
  /** How much the runs disagree on it: how many of them the smaller side has. */
  split: number;
  question: string;
  /** Accepted answers. */
  answers: string[];
  /** Whether a fork among the runs gave it another answer than the run that it is forked of. */
  changed?: true;
  /** By run; null where the question has not ended. */
  runs: (IndexCell | null)[];
}

export interface IndexCell {
  /** right, wrong, unknown, unreadable or failed. */
  state: string;
  /** The answer, or why there is none. */
  answer: string;
}

/** The page of a question as it is shown. */
export interface ShownPage {
  markup: string;
  /** By place the text of each passage, which is put in wherever the markup names it. */
  passages: string[];
}
