/** A question, the check of a claim, or a reply to an utterance. */
export const TASKS = ['openQA', 'factChecking', 'dialogue'] as const;

/** What GenRead's prompts take a question for (GenRead 4.1). */
export type Task = (typeof TASKS)[number];
