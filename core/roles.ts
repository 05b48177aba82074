export const ROLES = ['questions', 'models', 'retrieval'] as const;
export type Role = (typeof ROLES)[number];
