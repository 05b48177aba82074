/** The roles that a worker can have. */
export const ROLES = ['questions', 'models', 'retrieval'] as const;
/** A role of a worker: the kind of tasks that it takes. A worker may have several. */
export type Role = (typeof ROLES)[number];
