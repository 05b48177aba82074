/** A question, the check of a claim, or a reply to an utterance. */
export const TASKS = ['openQA', 'factChecking', 'dialogue'] as const;

/** A task of GenRead (4.1). */
export type Task = (typeof TASKS)[number];
