/** What the report's page holds besides its markup: shared by what writes it and the page. Types only. */

/** What the list of questions is made from; strings are cut to what a list can show. */
export interface QuestionIndex {
  runs: { name: string; method: string }[];
  rows: IndexRow[];
}

export interface IndexRow {
  id: string;
  question: string;
  /** Accepted answers. */
  answers: string[];
  /** By run; null where the question has not ended. */
  runs: (IndexCell | null)[];
}

export interface IndexCell {
  /** right, wrong, unknown, unreadable or failed. */
  state: string;
  /** The answer, or why there is none. */
  answer: string;
}

/** All that is shown of a question. */
export interface QuestionStory {
  id: string;
  question: string;
  answers: string[];
  /** Every passage that a run names, each once; `at` of other types are positions here. */
  passages: PassageText[];
  /** By run; null where the question has not ended. */
  runs: (RunStory | null)[];
}

export interface PassageText {
  id: string;
  title: string;
  /** Null where only the title is shown. */
  text: string | null;
  /** Whether an accepted answer stands in it. */
  hit: boolean;
}

export interface RunStory {
  state: string;
  answer: CitedText;
  /** Scores, calls, tokens and the like. */
  facts: { label: string; value: string }[];
  sections: Section[];
}

export interface CitedText {
  text: string;
  /** The passages that [1], [2], ... stand for. */
  cites?: { number: number; at: number }[];
}

export interface Section {
  title: string;
  /** What it comes down to, beside the title. */
  note?: string;
  blocks: Block[];
  /** Closed until asked for. */
  closed?: boolean;
}

export type Block =
  | ({ type: 'text'; label?: string; tone?: Tone } & CitedText)
  | { type: 'passages'; items: PassageItem[] }
  | { type: 'cards'; items: Card[] }
  | { type: 'tree'; items: TreeNode[] }
  | { type: 'table'; head: string[]; rows: string[][] }
  | { type: 'fold'; title: string; blocks: Block[] }
  | { type: 'code'; text: string };

export type Tone = 'good' | 'bad' | 'warn' | 'plain';

export interface Chip {
  text: string;
  tone: Tone;
}

export interface PassageItem {
  at: number;
  /** What it is cited by. */
  number?: number;
  chips: Chip[];
}

export interface Card {
  title: string;
  chips: Chip[];
  /** It became the answer. */
  chosen?: boolean;
  blocks: Block[];
}

export interface TreeNode extends Card {
  children: TreeNode[];
}
