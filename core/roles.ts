/** What a worker can be for: the questions themselves, model calls, searches. */
export const ROLES = ['questions', 'models', 'retrieval'] as const;
export type Role = (typeof ROLES)[number];
