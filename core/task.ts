/** What the question of a method that generates documents is. Pure. */

/** What is asked: a question, whether a claim is true, or for a reply to an utterance. */
export const TASKS = ['openQA', 'factChecking', 'dialogue'] as const;

export type Task = (typeof TASKS)[number];
