/**
 * The tasks of GenRead's prompts: answer a question (openQA), check a claim, or reply to an
 * utterance (dialogue).
 */
export const TASKS = ['openQA', 'factChecking', 'dialogue'] as const;

/** The task for which GenRead's prompts are written (GenRead 4.1). */
export type Task = (typeof TASKS)[number];
