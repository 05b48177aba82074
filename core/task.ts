/**
 * The tasks of GenRead's prompts: answer a question (`openQA`), check a claim (`factChecking`), or
 * reply to an utterance (`dialogue`).
 */
export const TASKS = ['openQA', 'factChecking', 'dialogue'] as const;

/** A task of GenRead's prompts: openQA, factChecking or dialogue (GenRead 4.1). */
export type Task = (typeof TASKS)[number];
