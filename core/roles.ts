export const ROLES = ['questions', 'models', 'retrieval'] as const;
/** A role of a worker: what kind of tasks it takes. */
export type Role = (typeof ROLES)[number];
