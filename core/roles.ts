/**
 * The roles that a worker can have, by the kind of tasks that it takes: questions, model calls, or
 * searches.
 */
export const ROLES = ['questions', 'models', 'retrieval'] as const;
/** A role of a worker, by the kind of tasks that it takes: questions, models or retrieval. */
export type Role = (typeof ROLES)[number];
