/** A question, the check of a claim, or a reply to an utterance. */
export const TASKS = ['openQA', 'factChecking', 'dialogue'] as const;

export type Task = (typeof TASKS)[number];
