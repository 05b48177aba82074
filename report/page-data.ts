/** The data of the report's page, shared by its writer and the page. Types only. */
import type { Section } from '../core/section.js';
import type { ShownMark } from '../evaluation/runs/marked.js';

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
  method: string;
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

export interface QuestionPage {
  id: string;
  question: string;
  answers: string[];
  /** Every passage of a run, each once; other parts name them by their places here. */
  passages: PassageText[];
  /** By run; null where the question has not ended. */
  runs: (RunPanel | null)[];
  /** Of each fork beside the run that it is forked of, where they are not the same. */
  sides: SideBySide[];
}

/** The places of a question's sections in the panels of two runs, in pairs that differ. */
export interface SideBySide {
  fork: number;
  parent: number;
  /** Of the parent, then of the fork; null where it has none of this title. */
  sections: [number | null, number | null][];
}

export interface PassageText {
  id: string;
  title: string;
  /** Null where only the title is shown. */
  text: string | null;
  /** Whether it contains an accepted answer. */
  hit: boolean;
}

export interface RunPanel {
  state: string;
  answer: CitedText;
  /** The end of the answer, by which a mark is of it. */
  endedAt: string;
  /** What a person says of it. */
  mark?: ShownMark;
  /** Scores, calls, tokens and the like. */
  facts: { label: string; value: string }[];
  sections: Section<number>[];
}

export interface CitedText {
  text: string;
  /** The passages that [1], [2], ... stand for. */
  cites?: { number: number; at: number }[];
}
