/**
 * The roles that a worker can have, by the kind of tasks that it takes: `questions`, `models`
 * (model calls) and `retrieval` (searches).
 */
export const ROLES = ['questions', 'models', 'retrieval'] as const;
/**
 * A role of a worker, by the kind of tasks that it takes: questions, models (model calls) or
 * retrieval (searches).
 */
export type Role = (typeof ROLES)[number];
